import { randomBytes } from 'node:crypto'
import { chmod, copyFile, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { signatureKey } from '#platform/settings'
import { misuse } from '../command/failure.ts'

/** The file of the key, for this user of the machine. */
export function localKeyFile({ XDG_STATE_HOME: configured }: NodeJS.ProcessEnv): string {
  const folder = configured && isAbsolute(configured) ? configured : join(homedir(), '.local', 'state')
  return join(folder, 'lockerflow', 'callback-key')
}

/**
 * The key that signs callbacks to local addresses: the given one, or a random one that the first use writes to a file. It
 * stays the same, so that a receiver is configured once.
 * @throws CommandFailure for a malformed key
 */
export async function readLocalKey(environment: NodeJS.ProcessEnv, given?: string): Promise<string> {
  if (given !== undefined) {
    const read = signatureKey.safeParse(given)
    if (read.success) return given
    throw misuse(`--key: ${read.error.issues[0]?.message}.`)
  }
  const file = localKeyFile(environment)
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (signatureKey.safeParse(kept.trim()).success) return kept.trim()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const own = `${file}.${process.pid}-${randomBytes(6).toString('hex')}`
  await writeFile(own, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  // Another verb may write a first key at the same moment. The first one stays.
  if (kept === '') await link(own, file).catch(unlessExisting)
  else await copyFile(own, file)
  await rm(own)
  await chmod(file, 0o600)
  return (await readFile(file, 'utf8')).trim()
}

function unlessExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
