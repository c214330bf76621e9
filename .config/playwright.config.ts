import { defineConfig } from "@playwright/test";

/** The app from end to end, in the real Electron. One at a time: each test has an app, a model and a display. */
export default defineConfig({
  testDir: "../e2e/app",
  outputDir: "../dist/test/app",
  timeout: 90_000,
  expect: { timeout: 20_000 },
  workers: 1,
  forbidOnly: true,
  reporter: [["list"], ["json", { outputFile: `../dist/test/${process.env.SIMMER_REPORT ?? "app"}.json` }]],
  globalSetup: "../e2e/app/set-up.ts",
  projects: [
    { name: "app", testMatch: "*.spec.ts" },
    { name: "package", testMatch: "*.package.ts" },
    // Not a check: pictures to look at.
    { name: "screenshots", testMatch: "*.shots.ts" },
  ],
});
