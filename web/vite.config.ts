// One script, one style sheet, with names that stay: the built page is part of the repository.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: "app.js",
        assetFileNames: "app.[ext]",
        inlineDynamicImports: true,
      },
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8470" } },
  test: { include: ["tests/**/*.test.ts"] },
});
