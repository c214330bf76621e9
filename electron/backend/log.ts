/** Where lines for a person who looks after the host go. */
export interface Log {
  warn(line: string): void;
}
