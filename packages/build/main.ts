import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildPackages } from './build.ts'
import { packPackages } from './pack.ts'

const usage = 'npm run release -- packages [--out <folder>]'

try {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: '.lockerflow/packages' } },
  })
  await buildPackages()
  const tarballs = await packPackages(resolve(values.out))
  for (const { name, file, contents, packedBytes, unpackedBytes } of tarballs) {
    const sizes = `${kilobytes(packedBytes)} kB packed, ${kilobytes(unpackedBytes)} kB unpacked, ${contents.length} files`
    console.log(`${name}: ${sizes}: ${file}`)
  }
} catch (error) {
  console.error(`packages: ${error instanceof Error ? error.message : String(error)}\n${usage}`)
  process.exitCode = 1
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1_000)
}
