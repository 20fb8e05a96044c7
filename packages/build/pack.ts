import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packages, root } from './rolldown.config.ts'

const run = promisify(execFile)

/** A file that `npm publish` would upload. */
export interface Tarball {
  readonly name: string
  readonly file: string
  /** Paths in the package. */
  readonly contents: readonly string[]
  readonly packedBytes: number
  readonly unpackedBytes: number
}

interface Packed {
  readonly name: string
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/** Packs the built packages into a folder. @throws Error with the faults that publint and arethetypeswrong find in them */
export async function packPackages(folder: string): Promise<Tarball[]> {
  await mkdir(folder, { recursive: true })
  const folders = Object.values(packages).map(source => join(root, source.folder))
  const args = ['pack', ...folders, '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', args, { cwd: folder, maxBuffer: 2 ** 24 })
  const tarballs = readPacked(stdout).map(({ name, filename, files, size, unpackedSize }) => ({
    name,
    file: join(folder, filename),
    contents: files.map(({ path }) => path),
    packedBytes: size,
    unpackedBytes: unpackedSize,
  }))
  await Promise.all(tarballs.map(lint))
  return tarballs
}

async function lint({ name, file }: Tarball): Promise<void> {
  // The entries are ES modules: CommonJS loads them by require(esm), which the second linter does not know.
  for (const [linter, option] of [
    ['publint', '--strict'],
    ['attw', '--profile=esm-only'],
  ] as const)
    await run(join(root, 'node_modules', '.bin', linter), [file, option]).catch(({ stdout, stderr, message }) => {
      throw new Error(`${name}: ${linter} found faults: ${stdout || stderr || message}`)
    })
}

/** npm 12 writes an object by name, and earlier ones write a list. */
function readPacked(text: string): Packed[] {
  const packed: Packed[] | Record<string, Packed> = JSON.parse(text)
  return Object.values(packed)
}
