import type { HttpApp } from "../http/app";

/**
 * A way for clients to reach the engine over HTTP. A face parses, asks the service and projects the answer; it never
 * writes, and knows no other face. Its routes are registered behind the guard.
 */
export interface Face {
  readonly name: string;
  register(app: HttpApp): void | Promise<void>;
}
