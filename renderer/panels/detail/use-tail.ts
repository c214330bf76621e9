import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Nearer to the end than this counts as the end. */
const near = 24;

export interface Tail {
  readonly isFollowed: boolean;
  readonly follow: () => void;
}

/**
 * Keeps a pane at its end while its content grows, until the person scrolls up; scrolling back to the end, or
 * `follow`, takes it up again.
 */
export function useTail(pane: RefObject<HTMLElement | null>, isFollowedAtFirst: boolean): Tail {
  const [isFollowed, setFollowed] = useState(isFollowedAtFirst);
  const held = useRef(isFollowedAtFirst);
  const toEnd = useCallback(() => {
    const element = pane.current;
    if (held.current && element !== null) element.scrollTop = element.scrollHeight;
  }, [pane]);
  useLayoutEffect(toEnd);
  useEffect(() => {
    const element = pane.current;
    if (element === null) return;
    let before = element.scrollTop;
    const heed = () => {
      const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
      // Growth alone moves nothing: only a move upwards is the person's.
      if (element.scrollTop < before && rest > near) held.current = false;
      else if (rest <= near) held.current = true;
      before = element.scrollTop;
      setFollowed(held.current);
    };
    const observer = new ResizeObserver(toEnd);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener("scroll", heed, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", heed);
    };
  }, [pane, toEnd]);
  const follow = useCallback(() => {
    held.current = true;
    setFollowed(true);
    toEnd();
  }, [toEnd]);
  return { isFollowed, follow };
}
