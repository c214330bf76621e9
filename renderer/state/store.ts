import { createStore, useStore } from "zustand";
import { initialState, type WindowState } from "./window-state";

export type WindowStore = ReturnType<typeof createWindowStore>;

export function createWindowStore() {
  return createStore<WindowState>(() => initialState);
}

/** The store of this page. */
export const windowStore = createWindowStore();

export function useWindow<Part>(part: (state: WindowState) => Part): Part {
  return useStore(windowStore, part);
}
