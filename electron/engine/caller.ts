/** Who asks: decided by the guard from the token, never by the request's own words. */
export interface Caller {
  /** The client's name; tasks belong to it. */
  readonly client: string;
  /** What the caller says of itself, unverified; shown as such. */
  readonly says: string | null;
  /** The person at this desktop sees and may stop every client's tasks; a client over the network only its own. */
  readonly seesAll?: true;
}
