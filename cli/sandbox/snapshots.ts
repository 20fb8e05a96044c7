import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandFailure, exitCodes, misuse } from '../command/failure.ts'

/** The files of a moment, with those that SQLite writes beside its databases, and with the keys of the store. */
const isOfMoment = (file: string) => /^(service\.db|temporal\.db|clock\.json)/.test(file)

const names = /^[\w-]{1,60}$/
const homeOf = (folder: string) => join(folder, 'snapshots')

/** @throws CommandFailure for a name that is no name of a folder */
export function requireName(name: string): string {
  if (names.test(name)) return name
  throw misuse(`name: must be letters, digits, - and _, 60 at most, and is "${name}".`)
}

/** Copies the files of a stack that does not run. An earlier snapshot of this name is replaced. */
export async function saveFiles(folder: string, name: string): Promise<void> {
  const target = join(homeOf(folder), requireName(name))
  const written = `${target}.new`
  await rm(written, { recursive: true, force: true })
  await mkdir(written, { recursive: true, mode: 0o700 })
  for (const file of (await readdir(folder)).filter(isOfMoment)) await cp(join(folder, file), join(written, file))
  await rm(target, { recursive: true, force: true })
  await rename(written, target)
}

/** Replaces the files of a stack that does not run. @throws CommandFailure without such a snapshot */
export async function restoreFiles(folder: string, name: string): Promise<void> {
  const source = join(homeOf(folder), requireName(name))
  const saved = await readdir(source).catch(() => {
    throw new CommandFailure('CommandFailed', `There is no snapshot ${name}.`, {
      exitCode: exitCodes.failed,
      remedy: 'See the existing ones: lockerflow snapshot --list.',
    })
  })
  // A write-ahead log of later changes would be applied to the older database.
  for (const file of (await readdir(folder)).filter(isOfMoment)) await rm(join(folder, file))
  for (const file of saved) await cp(join(source, file), join(folder, file))
}

/** The names of the snapshots of a folder. */
export async function listSnapshots(folder: string): Promise<readonly string[]> {
  const found = await readdir(homeOf(folder)).catch(() => [])
  return found.filter(name => names.test(name)).toSorted()
}
