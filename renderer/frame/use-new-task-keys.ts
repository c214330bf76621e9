import { useEffect } from "react";
import { windowStore } from "../state/store";
import { useSession } from "../state/use-session";
import { takesLetters } from "../ui/keyboard";

/** Ctrl/Cmd+N opens the form from anywhere, a bare n from anywhere but a field. */
export function useNewTaskKeys(): void {
  const session = useSession();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.key.toLowerCase() !== "n") return;
      const isCommand = event.ctrlKey || event.metaKey;
      const { composing, list } = windowStore.getState();
      if (composing || list === null || (!isCommand && takesLetters(event.target))) return;
      event.preventDefault();
      session.compose(true);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [session]);
}
