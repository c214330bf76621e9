import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The preload script: one CommonJS file, since a sandboxed page's preload can neither import nor require others. */
export default defineConfig({
  root,
  build: {
    ssr: true,
    target: "node20",
    outDir: "dist/app/electron",
    minify: false,
    rolldownOptions: {
      input: { preload: `${root}electron/preload.ts` },
      external: ["electron"],
      output: { format: "cjs", entryFileNames: "preload.cjs" },
    },
  },
});
