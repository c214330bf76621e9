import { app, type Session, session } from "electron";

/** No page of ours needs a permission, a device, a download or a page inside it, so there is none to be had. */
export function denyAll(): void {
  denyPermissions(session.defaultSession);
  app.on("web-contents-created", (_event, contents) => {
    contents.on("will-navigate", (event) => event.preventDefault());
    contents.on("will-frame-navigate", (event) => event.preventDefault());
    contents.on("will-attach-webview", (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: "deny" }));
  });
}

function denyPermissions(ours: Session): void {
  ours.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  ours.setPermissionCheckHandler(() => false);
  ours.setDevicePermissionHandler(() => false);
  // Without a stream to give, the request is refused.
  ours.setDisplayMediaRequestHandler((_request, answer) => answer({}));
  ours.on("will-download", (event) => event.preventDefault());
}
