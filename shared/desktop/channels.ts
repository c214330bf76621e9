/** The IPC channels between window and main process; what goes over them is in the contract. */
export const channels = { call: "simmer:call", feed: "simmer:feed", command: "simmer:command" } as const;
