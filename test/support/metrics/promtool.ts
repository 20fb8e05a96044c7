import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readEnvironment } from '../../../cli/environment.ts'
import { cachedFolder, goBuild, run } from '../../../cli/temporal/index.ts'

const moduleFolder = join(import.meta.dirname, 'promtool')
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
 * The command promtool: the installed one, or one that is built from Prometheus' own sources of the version of its image, once
 * per machine, in two minutes of processor time. Undefined on a machine without Go.
 */
export async function findPromtool(progress: (line: string) => void): Promise<string | undefined> {
  if (spawnSync('promtool', ['--version']).status === 0) return 'promtool'
  const files = await Promise.all(
    ['go.mod', 'go.sum'].map(async name => ({ name, text: await readFile(join(moduleFolder, name), 'utf8') })),
  )
  const hash = createHash('sha256').update(`${files.map(({ text }) => text)}${leftOut}`)
  const name = `promtool-${hash.digest('hex').slice(0, 12)}`
  try {
    const folder = await cachedFolder(readEnvironment().cacheFolder, name, async making => {
      progress('Building promtool with Go, once for this machine: up to three minutes')
      await Promise.all(files.map(({ name, text }) => writeFile(join(making, name), text)))
      await copySources(making)
      // Without optimizations, which take a quarter of the build.
      const flags = ['-v', '-gcflags=all=-N -l', '-ldflags=-s -w', '-o', 'promtool']
      const environment = { GOFLAGS: '-mod=readonly -buildvcs=false' }
      await goBuild(['build', ...flags, '.'], { progress, folder: making, environment })
    })
    return join(folder, 'promtool')
  } catch (error) {
    if (error instanceof Error && error.message === 'no command go found') return undefined
    throw error
  }
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
