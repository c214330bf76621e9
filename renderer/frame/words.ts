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
  problems: "Problems",
  dismiss: "Dismiss",
} as const;
