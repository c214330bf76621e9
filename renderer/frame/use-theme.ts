import { useLayoutEffect } from "react";
import { useWindow } from "../state/store";

/** Puts the chosen theme on the page. Without a choice the page follows the system by its style sheet. */
export function useTheme(): void {
  const theme = useWindow((state) => state.theme);
  useLayoutEffect(() => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
}
