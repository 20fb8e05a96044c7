import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readEnvironment } from '../../../platform/environment.ts'
import { run } from '../../../testing/temporal/index.ts'
import { cachedFolder } from '../cachedFolder.ts'
import { goBuild } from '../goBuild.ts'

const moduleFolder = join(import.meta.dirname, 'promtool')
const moduleFiles = ['go.mod', 'go.sum']
const prometheus = 'github.com/prometheus/prometheus'

/**
 * Imports of the sources that are left out: the service discovery of all clouds and of Kubernetes, which is half of the
 * packages. Prometheus is built without them in the same way, by another list of plugins. Our configuration uses DNS.
 */
const leftOut = [
  [`_ "${prometheus}/plugins" // Register plugins.`, `_ "${prometheus}/discovery/dns"`],
  [`"${prometheus}/discovery/kubernetes"`, ''],
  [/case \*kubernetes\.SDConfig:\n.*\n.*\n\s*\}\n/, ''],
] as const

/**
 * The command promtool, put into the cache once per machine: the installed one, the one of Debian's package, or one that is
 * built from Prometheus' own sources of the version of its image. Undefined on a machine without all three.
 */
export async function findPromtool(progress: (line: string) => void): Promise<string | undefined> {
  if (spawnSync('promtool', ['--version']).status === 0) return 'promtool'
  const { cacheFolder } = readEnvironment()
  try {
    return join(await cachedFolder(cacheFolder, 'promtool-packaged', unpackPackage), 'promtool')
  } catch {
    // Not Debian, or a release whose promtool is too old.
  }
  try {
    return join(await cachedFolder(cacheFolder, await nameOfBuild(), making => build(making, progress)), 'promtool')
  } catch (error) {
    if (error instanceof Error && error.message === 'no command go found') return undefined
    throw error
  }
}

/** Unpacks promtool from the package of Debian, which takes seconds and needs no rights of root. */
async function unpackPackage(folder: string): Promise<void> {
  const options = { timeoutMs: 60_000, folder }
  await run('apt-get', ['download', 'prometheus'], options)
  const [file = ''] = await readdir(folder)
  await run('dpkg-deb', ['--extract', file, 'package'], options)
  const promtool = join(folder, 'promtool')
  await rename(join(folder, 'package', 'usr', 'bin', 'promtool'), promtool)
  await Promise.all([file, 'package'].map(name => rm(join(folder, name), { recursive: true })))
  // Fails for a version that lacks one of the options which the tests use.
  await run(promtool, ['check', 'rules', '--lint=all', '--lint-fatal', '/dev/null'], options)
}

async function nameOfBuild(): Promise<string> {
  const texts = await Promise.all(moduleFiles.map(name => readFile(join(moduleFolder, name), 'utf8')))
  return `promtool-${createHash('sha256').update(`${texts}${leftOut}`).digest('hex').slice(0, 12)}`
}

/** Two minutes of processor time. */
async function build(folder: string, progress: (line: string) => void): Promise<void> {
  progress('Building promtool with Go, once for this machine: up to three minutes')
  await Promise.all(moduleFiles.map(name => copyFile(join(moduleFolder, name), join(folder, name))))
  await copySources(folder)
  // Without optimizations, which take a quarter of the build.
  const flags = ['-v', '-gcflags=all=-N -l', '-ldflags=-s -w', '-o', 'promtool']
  const environment = { GOFLAGS: '-mod=readonly -buildvcs=false' }
  await goBuild(['build', ...flags, '.'], { progress, folder, environment })
}

/** Copies the sources of promtool, which Go's module proxy has, without the imports above. */
async function copySources(folder: string): Promise<void> {
  let source = ''
  const onLine = (line: string) => {
    source = /"Dir": "(.+)"/.exec(line)?.[1] ?? source
  }
  await run('go', ['mod', 'download', '-json', prometheus], { timeoutMs: 600_000, folder, onLine })
  const commands = join(source, 'cmd', 'promtool')
  for (const name of await readdir(commands)) {
    if (!name.endsWith('.go') || name.endsWith('_test.go')) continue
    let text = await readFile(join(commands, name), 'utf8')
    for (const [from, to] of leftOut) text = text.replace(from, to)
    await writeFile(join(folder, name), text)
  }
}
