import type { HttpApp } from "../../../http/app";

/** GET and DELETE have no body; one that comes is not even read, whatever it calls itself. */
export function withoutBody(app: HttpApp): void {
  app.addHook("preParsing", async (request) => {
    delete request.raw.headers["content-type"];
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
}
