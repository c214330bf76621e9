import { defineConfig } from "vitest/config";

const shared = { pool: "forks" as const, root: new URL("..", import.meta.url).pathname };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["shared/**/*.test.ts", "electron/**/*.test.ts", "renderer/**/*.test.ts"],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          ...shared,
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
