import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readEnvironment } from '../../cli/environment.ts'
import { cachedFolder, goBuild, run } from '../../cli/temporal/index.ts'

/** Temporal's server and its schema tool, with the other files of their images. */
export interface TemporalBuild {
  readonly server: string
  /** Folder of `temporal-sql-tool`. */
  readonly tools: string
  /** Folder with the versions of both PostgreSQL schemas. */
  readonly schema: string
}

/** Builds a version once per machine, from the Go module of the images. */
export async function temporalBuild(version: string, progress: (line: string) => void): Promise<TemporalBuild> {
  const name = `temporal-server-${version}`
  const folder = await cachedFolder(readEnvironment().cacheFolder, name, async making => {
    progress(`Building Temporal's server ${version} with Go, once for this machine: up to three minutes`)
    const commands = ['server', 'tools/sql'].map(path => `go.temporal.io/server/cmd/${path}@v${version}`)
    await goBuild(['install', '-v', ...commands], { progress, environment: { GOBIN: making } })
    await mkdir(join(making, 'tools'))
    await rename(join(making, 'sql'), join(making, 'tools', 'temporal-sql-tool'))
    const source = await moduleFolder(version)
    await copyReadable(join(source, 'schema', 'postgresql', 'v12'), join(making, 'schema'))
  })
  return {
    server: join(folder, 'server'),
    tools: join(folder, 'tools'),
    schema: join(folder, 'schema'),
  }
}

async function moduleFolder(version: string): Promise<string> {
  let folder = ''
  await run('go', ['mod', 'download', '-json', `go.temporal.io/server@v${version}`], {
    timeoutMs: 600_000,
    onLine: line => {
      folder = /"Dir": "(.+)"/.exec(line)?.[1] ?? folder
    },
  })
  if (folder === '') throw new Error(`go does not report the folder of Temporal's server ${version}`)
  return folder
}

/** Makes the copy writable, because Go's module cache is read-only. */
async function copyReadable(from: string, to: string): Promise<void> {
  if ((await stat(from)).isFile()) return writeFile(to, await readFile(from))
  await mkdir(to)
  for (const name of await readdir(from)) await copyReadable(join(from, name), join(to, name))
}
