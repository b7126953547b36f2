// Builds the programs that Faultline consists of: everything that runs in Node or in Electron's main process
// (out/main/*.js, ESM), the preload (out/preload/index.cjs: a sandboxed preload must be one CommonJS file) and
// the window (out/renderer). Only packages in `dependencies` stay external: better-sqlite3, which is native.
// An entry whose source does not exist is left out, so that a room can be built before its neighbours.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const root = import.meta.dirname

/** name of the built file → source; several entries share chunks, so out/main stays flat (see chunkFileNames). */
const mainEntries: Readonly<Record<string, string>> = {
  index: 'src/main/index.ts',
  core: 'src/core/process.ts',
  worker: 'src/core/worker.ts',
  cli: 'src/cli/index.ts',
  // Without SQLite: drives the utilityProcess transport in e2e/ on Electron versions that cannot load it.
  echo: 'src/core/echo.ts',
}

const input = Object.fromEntries(
  Object.entries(mainEntries)
    .map(([name, source]) => [name, resolve(root, source)] as const)
    .filter(([, source]) => existsSync(source)),
)

export default defineConfig({
  main: {
    // The bundled CommonJS builds of react and others ask for it; without it they load their development half.
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      outDir: 'out/main',
      target: 'node20.18',
      sourcemap: true,
      rollupOptions: {
        input,
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          // Flat on purpose: new URL('./worker.js', import.meta.url) is then right from any chunk.
          chunkFileNames: '[name]-[hash].js',
        },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      target: 'node20.18',
      externalizeDeps: false,
      isolatedEntries: true,
      rollupOptions: {
        input: { index: resolve(root, 'src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    base: './',
    plugins: [react()],
    build: {
      outDir: 'out/renderer',
      target: 'chrome130',
      minify: true,
      // One local file: how large a chunk is costs no download.
      chunkSizeWarningLimit: 4_000,
      // Everything is local: inlining would only need data: in the content security policy.
      assetsInlineLimit: 0,
      rollupOptions: { input: { index: resolve(root, 'src/renderer/index.html') } },
    },
  },
})
