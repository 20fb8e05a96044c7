import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readEnvironment } from '../../../cli/environment.ts'
import { cachedFolder, goBuild } from '../../../cli/temporal/index.ts'

const program = 'compose-config'
const moduleFolder = join(import.meta.dirname, 'module')
const moduleFiles = ['go.mod', 'go.sum', 'main.go']

/**
 * A program that prints what `docker compose config` prints, built once per machine. It uses docker compose's own library
 * for the files. Docker compose itself takes minutes to build, because it contains the builder of images as well.
 */
export async function composeCommand(progress: (line: string) => void): Promise<string> {
  const files = await Promise.all(
    moduleFiles.map(async name => ({ name, text: await readFile(join(moduleFolder, name)) })),
  )
  const hash = createHash('sha256')
  for (const { text } of files) hash.update(text)
  const name = `${program}-${hash.digest('hex').slice(0, 12)}`
  const folder = await cachedFolder(readEnvironment().cacheFolder, name, async making => {
    progress('Building the reader of compose files with Go, once for this machine')
    await Promise.all(files.map(({ name, text }) => writeFile(join(making, name), text)))
    await goBuild(['build', '-v', '-o', program, '.'], {
      progress,
      folder: making,
      environment: { GOFLAGS: '-mod=readonly -buildvcs=false' },
    })
  })
  return join(folder, program)
}

/** The same; undefined on a machine without Go. */
export function findComposeCommand(progress: (line: string) => void): Promise<string | undefined> {
  return composeCommand(progress).catch(error => {
    if (error instanceof Error && error.message === 'no command go found') return undefined
    throw error
  })
}
