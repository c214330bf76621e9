/** One end of a channel between two processes. Messages are structured clones and arrive in order. */
export interface Port {
  /** Does nothing once the channel is closed. */
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when either side has closed the channel or its process has ended. */
  onClose(listener: () => void): void;
  close(): void;
}
