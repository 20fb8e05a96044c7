import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackages, packPackages, type Tarball } from '../../../packages/build/index.ts'
import { root } from '../../project/sources.ts'
import { eventually } from '../eventually.ts'

/** Milliseconds after which the build of another process counts as dead. */
const buildTimeout = 600_000

/** Folders that no package is built from. */
const others = ['bench', 'deploy', 'docs', 'examples', 'node_modules', 'test']

/** The packages of the sources as they are now. The files of a run share one build, in a folder that git ignores. */
export async function packed(): Promise<Tarball[]> {
  const parent = join(root, '.lockerflow', 'packed')
  mkdirSync(parent, { recursive: true })
  const folder = join(parent, fingerprintOfSources())
  const list = join(folder, 'tarballs.json')
  if (!existsSync(list)) {
    if (isFirst(folder)) {
      for (const old of readdirSync(parent)) {
        if (join(parent, old) !== folder) rmSync(join(parent, old), { recursive: true })
      }
      await buildPackages()
      writeFileSync(list, JSON.stringify(await packPackages(folder)))
    } else await eventually(() => existsSync(list) || undefined, buildTimeout)
  }
  return JSON.parse(readFileSync(list, 'utf8'))
}

/** Creates the folder. False if another process builds in it. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    if (Date.now() - statSync(folder).mtimeMs < buildTimeout) return false
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
    return true
  }
}

function fingerprintOfSources(): string {
  const hash = createHash('sha256')
  const top = readdirSync(root, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
  for (const { name } of top.filter(entry => entry.isDirectory() && !others.includes(entry.name))) {
    for (const file of readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).toSorted()) {
      const path = join(root, name, file)
      const { mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? {}
      if (isSource(path)) hash.update(`${path} ${mtimeMs} ${size}\n`)
    }
  }
  return hash.digest('hex').slice(0, 16)
}

function isSource(path: string): boolean {
  return (
    /\.(ts|mjs|json|md|sh|mod|sum)$/.test(path) &&
    !/[\\/](dist|node_modules)[\\/]|[\\/]packages[\\/]\w+[\\/]((errors|declaration-faults)\.md|\w+\.schema\.json)$/.test(
      path,
    )
  )
}
