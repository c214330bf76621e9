// @ts-expect-error: a script in plain JavaScript, which the start of the app uses too.
import { hasDisplay, virtualDisplay } from "../../.scripts/electron/display.mjs";
// @ts-expect-error: likewise.
import { electronCommand } from "../../.scripts/electron/launch.mjs";

/** Makes Electron ready, and gives it a display where there is none. The result takes it away again. */
export default async function setUp(): Promise<() => Promise<void>> {
  const { binary, flags } = await electronCommand({ forTests: true });
  process.env.SIMMER_ELECTRON = JSON.stringify({ binary, flags });
  if (hasDisplay()) return async () => undefined;
  const { display, close } = await virtualDisplay();
  process.env.DISPLAY = display;
  return close;
}
