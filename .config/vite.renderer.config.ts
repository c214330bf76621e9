import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const root = fileURLToPath(new URL("../renderer", import.meta.url));

/**
 * Builds the window's page. Everything is a file of its own, for the page's security policy allows neither inline
 * scripts and styles nor fonts in `data:` addresses; relative, for the page is opened from where the app lies.
 */
export default defineConfig({
  root,
  base: "./",
  plugins: [react()],
  build: {
    target: "chrome130",
    outDir: fileURLToPath(new URL("../dist/app/renderer", import.meta.url)),
    emptyOutDir: true,
    sourcemap: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      output: {
        entryFileNames: "assets/[name]-[hash].js",
        chunkFileNames: "assets/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
      },
    },
  },
});
