import { startTransition, useEffect, useRef, useState } from "react";

/** The value as it was at most `pause` milliseconds ago; what comes faster is left out, the last one never. */
export function useThrottled<Value>(value: Value, pause: number): Value {
  const [shown, setShown] = useState(value);
  const shownAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const wait = Math.max(0, shownAt.current + pause - performance.now());
    const timer = setTimeout(() => {
      shownAt.current = performance.now();
      // It may take several frames, and gives way to whatever the person does.
      startTransition(() => setShown(value));
    }, wait);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return shown;
}
