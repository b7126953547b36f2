// A measurement's program as it is shipped: bundled, so that no time goes into stripping types and loading hundreds of
// files in every thread. Written to out/bench.

import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '../..')

/** Builds test/bench/NAME.ts with the core's programs beside it; gives the path of what is to be run. */
export async function builtProgram(name: string): Promise<string> {
  const outDir = join(root, 'out/bench')
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20.18',
      minify: false,
      rollupOptions: {
        input: {
          [name]: join(root, `test/bench/${name}.ts`),
          core: join(root, 'src/core/process.ts'),
          worker: join(root, 'src/core/worker.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  return join(outDir, `${name}.js`)
}
