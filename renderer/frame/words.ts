import type { TaskRow } from "../../shared/desktop/rows";

/** What the frame around the panels says. */
export const words = {
  panels: "Panels",
  newTask: "New task",
  theme: "Theme",
  themes: { system: "Same as system", light: "Light", dark: "Dark" },
  copyAddress: "Copy the address",
  copied: "Copied",
  starting: "Starting",
  noEndpoint: "No endpoint",
  endpointDown: (reason: string) => `Endpoint down: ${reason}`,
  noModel: "No model loaded",
  idle: "Nothing running",
  running: (count: string) => `${count} running`,
  queued: (count: string) => `${count} queued`,
  storage: {
    shut: {
      title: "Your tasks cannot be opened",
      outlook:
        "Nothing that was stored is lost. Simmer tries again every few seconds, and shows your tasks as soon as it can.",
    },
    failing: {
      title: "New work cannot be kept",
      outlook: "What is stored is safe and can be read. Simmer tries again every few seconds, and goes on by itself.",
    },
  },
  problems: "Problems",
  dismiss: "Dismiss",
  needYou: (count: string) => `${count} need you`,
  asked: ({ origin, client, title }: TaskRow, message: string) =>
    `${origin === "desktop" ? title : client} asks: ${message}`,
} as const;
