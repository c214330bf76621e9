import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Builds what runs in Node into one flat folder, so that an entry finds another beside it by its name,
 * whichever chunk asks. Packages stay outside: they are installed, and some are native.
 */
export default defineConfig({
  root,
  build: {
    ssr: true,
    target: "node20",
    outDir: "dist/app/electron",
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: {
        main: `${root}electron/main.ts`,
        headless: `${root}electron/headless.ts`,
        "process-entry": `${root}electron/backend/process-entry.ts`,
      },
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});
