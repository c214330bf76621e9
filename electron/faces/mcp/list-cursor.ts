import { createHmac, timingSafeEqual } from "node:crypto";
import { invalidParams } from "./errors";

export const pageSize = 50;

const rowBytes = 8;
const tagBytes = 16;

/** A page of a list, newest first. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/**
 * Cursors of lists that sort by row. A cursor is the row after which the next page begins: whatever is deleted
 * meanwhile, it stays good. It is signed with its list and its client, so that nobody makes one up; opaque to clients.
 */
export class ListCursors {
  readonly #key: Uint8Array;

  /** `key`: at least 32 random bytes. */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** One page. `read` returns at most `limit` rows below `beforeRow`; `cursor` is what the client sent. Throws -32602. */
  page<T extends { readonly row: number }>(
    list: string,
    client: string,
    cursor: unknown,
    read: (query: { readonly limit: number; readonly beforeRow?: number }) => readonly T[],
  ): ListPage<T> {
    const from = cursor === undefined ? {} : { beforeRow: this.#rowOf(list, client, cursor) };
    const found = read({ limit: pageSize + 1, ...from });
    const items = found.slice(0, pageSize);
    const last = items.at(-1);
    return found.length > pageSize && last ? { items, nextCursor: this.#cursor(list, client, last.row) } : { items };
  }

  #cursor(list: string, client: string, row: number): string {
    const position = Buffer.alloc(rowBytes);
    position.writeBigUInt64BE(BigInt(row));
    return Buffer.concat([position, this.#tag(list, client, position)]).toString("base64url");
  }

  #rowOf(list: string, client: string, cursor: unknown): number {
    const bytes = Buffer.from(typeof cursor === "string" ? cursor : "", "base64url");
    const position = bytes.subarray(0, rowBytes);
    const tag = bytes.subarray(rowBytes);
    // The text is compared too: Buffer reads some texts that are no base64url, and none of them was ours.
    const isOurs =
      tag.length === tagBytes &&
      timingSafeEqual(tag, this.#tag(list, client, position)) &&
      bytes.toString("base64url") === cursor;
    if (!isOurs) throw invalidParams("Invalid cursor: it is not one of this list; start again without a cursor.");
    return Number(position.readBigUInt64BE());
  }

  #tag(list: string, client: string, position: Uint8Array): Buffer {
    const hmac = createHmac("sha256", this.#key)
      .update(JSON.stringify([list, client]))
      .update(position);
    return hmac.digest().subarray(0, tagBytes);
  }
}
