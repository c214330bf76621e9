import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";
import { protocol } from "electron";

/** The window's own origin. Pages come from our folder only, and a page's relative links stay inside it. */
export const appOrigin = "app://simmer";

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // No text becomes code or markup, not even by a fault of ours.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** Must run before the app is ready. */
export function declareAppProtocol(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: "app", privileges: { standard: true, secure: true } }]);
}

/** Serves the files of `folder` to the window, with the security headers that a page cannot loosen. */
export function serveAppProtocol(folder: string): void {
  protocol.handle("app", async ({ url }) => {
    const path = normalize(join(folder, decodeURIComponent(new URL(url).pathname)));
    const type = types[extname(path)];
    if (!url.startsWith(`${appOrigin}/`) || !path.startsWith(folder + sep) || type === undefined) return notFound();
    try {
      return new Response(new Uint8Array(await readFile(path)), { headers: headersOf(type) });
    } catch {
      return notFound(); // a file that is not there
    }
  });
}

function headersOf(type: string): Record<string, string> {
  return {
    "content-type": type,
    "content-security-policy": contentSecurityPolicy,
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  };
}

function notFound(): Response {
  return new Response("Not found", { status: 404, headers: headersOf("text/plain") });
}
