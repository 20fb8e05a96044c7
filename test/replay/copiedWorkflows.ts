import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleFlows } from '#worker'
import { root } from '../project/sources.ts'

/** Finds the edit of a file by its path, which begins with a slash. Undefined keeps the file. */
export type FindEdit = (file: string) => ((text: string) => string) | undefined

export interface CopiedFolders {
  readonly folder: string
  /** The door of the copied workflows, for `bundleFlows`. */
  readonly entry: string
  remove(): void
}

/**
 * Copies folders of the project. The copy is inside the project, to find its packages. It has its own package.json, so
 * that `#flows` resolves to the copy. All other folders are links.
 */
export function copyFolders(folders: readonly string[]): CopiedFolders {
  const folder = join(root, '.lockerflow', `copied-${randomUUID()}`)
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'tsconfig.json']) cpSync(join(root, file), join(folder, file))
  for (const name of foldersOfDoors()) {
    if (folders.includes(name)) cpSync(join(root, name), join(folder, name), { recursive: true })
    else symlinkSync(join(root, name), join(folder, name), 'dir')
  }
  return {
    folder,
    entry: join(folder, 'workflows/index.ts'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Bundles a copy of the workflows with edited files. @throws Error if the edits change nothing */
export async function bundleEdited(editOf: FindEdit): ReturnType<typeof bundleFlows> {
  const copy = copyFolders(['workflows', 'flows'])
  try {
    const edited = ['workflows', 'flows'].map(name => editAll(copy.folder, name, editOf))
    if (edited.every(count => count === 0)) throw new Error('the edits must change at least one file')
    return await bundleFlows(copy.entry)
  } finally {
    copy.remove()
  }
}

/** @returns the number of changed files */
function editAll(folder: string, name: string, editOf: FindEdit): number {
  let edited = 0
  for (const file of readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name, file)
    const edit = file.endsWith('.ts') ? editOf(`/${name}/${file}`) : undefined
    if (edit === undefined) continue
    const before = readFileSync(path, 'utf8')
    const after = edit(before)
    if (after !== before) edited++
    writeFileSync(path, after)
  }
  return edited
}

/** The folders with a door in package.json. */
function foldersOfDoors(): Set<string> {
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { imports: object }
  return new Set(Object.values(imports).map((door: string) => door.split('/')[1] ?? ''))
}
