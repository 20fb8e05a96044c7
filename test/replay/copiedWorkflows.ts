import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleFlows } from '#worker'
import { root } from '../project/sources.ts'

/** What becomes of the text of a file, whose path in the workflows begins with a slash; undefined: it stays. */
export type EditOf = (file: string) => ((text: string) => string) | undefined

export interface Copied {
  readonly folder: string
  /** The door of the copied workflows, for `bundleFlows`. */
  readonly entry: string
  remove(): void
}

/**
 * A copy of folders of the project, in the project, since what it imports lies there. It has a package file of its own:
 * by that one `#workflows/flows` leads to the copy, where the project's would lead past it. Other folders are links.
 */
export function copyFolders(folders: readonly string[]): Copied {
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

/** A bundle of a copy of the workflows in which some files are edited. Throws when an edit changes nothing. */
export async function bundleAltered(editOf: EditOf): ReturnType<typeof bundleFlows> {
  const copy = copyFolders(['workflows'])
  try {
    if (editAll(join(copy.folder, 'workflows'), editOf) === 0) throw new Error('the edit changes nothing')
    return await bundleFlows(copy.entry)
  } finally {
    copy.remove()
  }
}

/** Answers how many files it changed. */
function editAll(folder: string, editOf: EditOf): number {
  let edited = 0
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, file)
    const edit = file.endsWith('.ts') ? editOf(`/${file}`) : undefined
    if (edit === undefined) continue
    const before = readFileSync(path, 'utf8')
    const after = edit(before)
    if (after !== before) edited++
    writeFileSync(path, after)
  }
  return edited
}

/** The folders that the package file has doors to. */
function foldersOfDoors(): Set<string> {
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { imports: object }
  return new Set(Object.values(imports).map((door: string) => door.split('/')[1] ?? ''))
}
