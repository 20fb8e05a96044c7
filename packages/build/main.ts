import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildPackages } from './build.ts'
import { packPackages } from './pack.ts'
import { printSizes } from './sizes.ts'
import { writeSurfaces } from './surface.ts'

const usage = 'npm run packages -- [--out <folder>] [--surface] [--sizes]'

try {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: '.lockerflow/packages' },
      surface: { type: 'boolean', default: false },
      sizes: { type: 'boolean', default: false },
    },
  })
  await buildPackages()
  if (values.surface) writeSurfaces()
  const tarballs = await packPackages(resolve(values.out))
  for (const { name, file, contents, packedBytes, unpackedBytes } of tarballs) {
    const sizes = `${kilobytes(packedBytes)} kB packed, ${kilobytes(unpackedBytes)} kB unpacked, ${contents.length} files`
    console.log(`${name}: ${sizes}: ${file}`)
  }
  if (values.sizes) await printSizes(tarballs, line => console.log(line))
} catch (error) {
  console.error(`packages: ${error instanceof Error ? error.message : String(error)}\n${usage}`)
  process.exitCode = 1
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1_000)
}
