import { fileURLToPath } from "node:url";
import { expect } from "@playwright/test";
import type { SimmerApp } from "./simmer-app";

const folder = fileURLToPath(new URL("../../dist/screenshots/", import.meta.url));
const sizes = [
  { width: 1280, height: 800 },
  { width: 800, height: 600 },
];

/** A picture of the window as it stands, in each size. */
export async function shootStates(app: SimmerApp, name: string): Promise<void> {
  for (const size of sizes) {
    await app.electron.evaluate(({ BrowserWindow }, { width, height }) => {
      BrowserWindow.getAllWindows()[0]?.setContentSize(width, height);
    }, size);
    await expect.poll(() => app.page.evaluate(() => innerWidth)).toBe(size.width);
    await app.page.waitForTimeout(400);
    await app.page.screenshot({ path: `${folder}${name}-${size.width}x${size.height}.png` });
  }
}
