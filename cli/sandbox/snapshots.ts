import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, misuse } from '../command/failure.ts'

/** The files of a moment, with those that SQLite writes beside its databases, and with the keys of the store. */
const isOfMoment = (file: string) => /^(service\.db|temporal\.db|clock\.json)/.test(file)

/** The database of the service, which every stack has. */
const store = 'service.db'

const names = /^[\w-]{1,60}$/
const homeOf = (folder: string) => join(folder, 'snapshots')

/** @throws CommandFailure for a name that a folder cannot have */
export function requireName(name: string): string {
  if (names.test(name)) return name
  throw misuse(`name: must be letters, digits, - and _, 60 at most, got "${name}".`)
}

/**
 * Copies the files of a stack that does not run. An earlier snapshot of this name is replaced.
 * @throws CommandFailure without a store
 */
export async function saveFiles(folder: string, name: string): Promise<void> {
  const target = join(homeOf(folder), requireName(name))
  const files = await filesOf(folder)
  if (!files.includes(store))
    throw failed(
      `There is no stack to save: ${folder} does not contain ${store}.`,
      'Start one in this folder: lockerflow dev.',
    )
  await replaceBy(`${target}.new`, folder, files, async written => {
    await rm(target, { recursive: true, force: true })
    await rename(written, target)
  })
}

/** @throws CommandFailure if there is no snapshot with a store of this name */
export async function requireSnapshot(folder: string, name: string): Promise<readonly string[]> {
  const files = await filesOf(join(homeOf(folder), requireName(name)))
  if (files.includes(store)) return files
  const known = await listSnapshots(folder)
  const list =
    known.length === 0
      ? 'No snapshot exists yet: lockerflow snapshot saves one.'
      : `Known snapshots: ${known.join(', ')}.`
  throw misuse(`name: must be the name of a snapshot, got "${name}". ${list}`)
}

/** Replaces the files of a stack that does not run. @throws CommandFailure without such a snapshot */
export async function restoreFiles(folder: string, name: string): Promise<void> {
  const files = await requireSnapshot(folder, name)
  await replaceBy(join(homeOf(folder), 'restored.new'), join(homeOf(folder), name), files, async written => {
    // A write-ahead log of later changes would be applied to the older database.
    for (const file of await filesOf(folder)) await rm(join(folder, file))
    for (const file of files) await rename(join(written, file), join(folder, file))
  })
}

/** Copies files before anything is replaced: a copy that fails, such as on a full disk, loses nothing. */
async function replaceBy(
  copy: string,
  source: string,
  files: readonly string[],
  replace: (copy: string) => Promise<void>,
): Promise<void> {
  await rm(copy, { recursive: true, force: true })
  await mkdir(copy, { recursive: true, mode: 0o700 })
  try {
    for (const file of files) await cp(join(source, file), join(copy, file))
    await replace(copy)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** The files of a stack or a snapshot; none for a folder that does not exist. */
async function filesOf(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).filter(isOfMoment)
}

/** The names of the snapshots of a folder that have a store. */
export async function listSnapshots(folder: string): Promise<readonly string[]> {
  const found = await readdir(homeOf(folder)).catch(() => [])
  return found.filter(name => names.test(name) && existsSync(join(homeOf(folder), name, store))).toSorted()
}
