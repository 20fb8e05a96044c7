import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readEnvironment } from '../../platform/environment.ts'
import { cachedFolder } from './cachedFolder.ts'
import { goBuild } from './goBuild.ts'

const moduleFiles = ['go.mod', 'go.sum', 'main.go']

export interface GoProgram {
  /** The name of the command. */
  readonly name: string
  /** The folder of its module: go.mod, go.sum and main.go. */
  readonly moduleFolder: string
  /** A noun for its purpose, for the line that is printed while it is built. */
  readonly task: string
}

/**
 * The path of a program, which is built once per machine.
 * @throws Error without Go
 */
export async function goProgram(
  { name, moduleFolder, task }: GoProgram,
  progress: (line: string) => void,
): Promise<string> {
  const files = await Promise.all(
    moduleFiles.map(async file => ({ file, text: await readFile(join(moduleFolder, file)) })),
  )
  const hash = createHash('sha256')
  for (const { text } of files) hash.update(text)
  const cached = `${name}-${hash.digest('hex').slice(0, 12)}`
  const folder = await cachedFolder(readEnvironment().cacheFolder, cached, async making => {
    progress(`Building the ${task} with Go, once for this machine`)
    await Promise.all(files.map(({ file, text }) => writeFile(join(making, file), text)))
    await goBuild(['build', '-v', '-o', name, '.'], {
      progress,
      folder: making,
      environment: { GOFLAGS: '-mod=readonly -buildvcs=false' },
    })
  })
  return join(folder, name)
}

/** Builds a program as `goProgram` does; undefined on a machine without Go. */
export function findGoProgram(program: GoProgram, progress: (line: string) => void): Promise<string | undefined> {
  return goProgram(program, progress).catch(error => {
    if (error instanceof Error && error.message === 'no command go found') return undefined
    throw error
  })
}
