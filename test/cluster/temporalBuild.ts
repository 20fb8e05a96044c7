import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readEnvironment } from '../../platform/environment.ts'
import { run } from '../../testing/temporal/index.ts'
import { cachedFolder } from '../support/cachedFolder.ts'
import { goBuild } from '../support/goBuild.ts'

const server = 'go.temporal.io/server'

/**
 * The module of the build, with the checksum of every module in it. For another version:
 * `go get -tool go.temporal.io/server/cmd/server@v… go.temporal.io/server/cmd/tools/sql@v…` in its folder.
 */
const moduleFiles = ['go.mod', 'go.sum'].map(name => ({
  name,
  text: readFileSync(join(import.meta.dirname, 'temporalModule', name), 'utf8'),
}))

/** Without a change of go.mod or go.sum: a module with another checksum fails the build. */
const environment = { GOFLAGS: '-mod=readonly -buildvcs=false' }

/** The version of Temporal's server that is built. */
export const builtVersion = new RegExp(`${server} v(\\S+)`).exec(moduleFiles[0]?.text ?? '')?.[1] ?? ''

/** Temporal's server and its schema tool, with the other files of their images. */
export interface TemporalBuild {
  readonly server: string
  /** Folder of `temporal-sql-tool`. */
  readonly tools: string
  /** Folder with the versions of both PostgreSQL schemas. */
  readonly schema: string
}

/** The build of a version that this machine has; undefined without one. */
export function findTemporalBuild(version: string): TemporalBuild | undefined {
  const folder = join(readEnvironment().cacheFolder, nameOf(version))
  return existsSync(folder) ? filesOf(folder) : undefined
}

/**
 * Builds the version of the images once per machine.
 * @throws Error if the module has another version
 */
export async function temporalBuild(version: string, progress: (line: string) => void): Promise<TemporalBuild> {
  if (version !== builtVersion) {
    throw new Error(`test/cluster/temporalModule: must be of Temporal's server ${version}, and is of ${builtVersion}`)
  }
  const folder = await cachedFolder(readEnvironment().cacheFolder, nameOf(version), async making => {
    progress(`Building Temporal's server ${version} with Go, once for this machine: up to three minutes`)
    await Promise.all(moduleFiles.map(({ name, text }) => writeFile(join(making, name), text)))
    const commands = ['server', 'tools/sql'].map(path => `${server}/cmd/${path}`)
    await goBuild(['build', '-v', '-o', join(making, 'built/'), ...commands], { progress, environment, folder: making })
    await rename(join(making, 'built', 'server'), join(making, 'server'))
    await mkdir(join(making, 'tools'))
    await rename(join(making, 'built', 'sql'), join(making, 'tools', 'temporal-sql-tool'))
    const source = await sourceFolder(making)
    await copyReadable(join(source, 'schema', 'postgresql', 'v12'), join(making, 'schema'))
  })
  return filesOf(folder)
}

/** A build with other checksums is another one. */
function nameOf(version: string): string {
  const hash = createHash('sha256').update(moduleFiles.map(({ text }) => text).join(''))
  return `temporal-server-${version}-${hash.digest('hex').slice(0, 12)}`
}

function filesOf(folder: string): TemporalBuild {
  return {
    server: join(folder, 'server'),
    tools: join(folder, 'tools'),
    schema: join(folder, 'schema'),
  }
}

/** The sources of the server in Go's module cache. */
async function sourceFolder(folder: string): Promise<string> {
  let source = ''
  await run('go', ['mod', 'download', '-json', server], {
    timeoutMs: 600_000,
    folder,
    environment,
    onLine: line => {
      source = /"Dir": "(.+)"/.exec(line)?.[1] ?? source
    },
  })
  if (source === '') throw new Error("go does not report the folder of Temporal's server")
  return source
}

/** Makes the copy writable, because Go's module cache is read-only. */
async function copyReadable(from: string, to: string): Promise<void> {
  if ((await stat(from)).isFile()) return writeFile(to, await readFile(from))
  await mkdir(to)
  for (const name of await readdir(from)) await copyReadable(join(from, name), join(to, name))
}
