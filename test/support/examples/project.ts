import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packages } from '../../../packages/build/rolldown.config.ts'
import { root } from '../../project/sources.ts'
import { cachedFolder } from '../cachedFolder.ts'
import { hashOf } from './hashOf.ts'

/**
 * Copies a folder of the examples into a project of its own, in which the packages are the sources. It is below the root,
 * so that it finds the packages of others.
 * @returns the copy of the folder
 */
export async function copyExample(path: string): Promise<string> {
  const source = join(root, 'examples', path)
  const key = hashOf(source, JSON.stringify(packages))
  const project = await cachedFolder(join(root, '.lockerflow', 'examples'), key, async making => {
    await writeFile(join(making, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    await linkPackages(making)
    await cp(source, join(making, path), { recursive: true })
  })
  return join(project, path)
}

/** Writes the packages of a project, each of which is the sources. */
export async function linkPackages(folder: string): Promise<void> {
  for (const [name, { entries }] of Object.entries(packages)) await linkSources(folder, name, entries)
}

/** Writes a package whose entries are their sources. */
async function linkSources(project: string, name: string, entries: Readonly<Record<string, string>>): Promise<void> {
  const folder = join(project, 'node_modules', name)
  await mkdir(folder, { recursive: true })
  const exported = Object.keys(entries).map(entry => [entry === 'index' ? '.' : `./${entry}`, `./${entry}.js`])
  const manifest = { name, type: 'module', exports: Object.fromEntries(exported) }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  for (const [entry, source] of Object.entries(entries)) {
    const { href } = pathToFileURL(join(root, source))
    await writeFile(join(folder, `${entry}.js`), `export * from '${href}'\n`)
  }
}
