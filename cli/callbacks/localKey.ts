import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { signatureKey } from '#contract/settings'
import { misuse } from '../command/failure.ts'

/** The file of the key, for this user of the machine. */
export function localKeyFile({ XDG_STATE_HOME: configured }: NodeJS.ProcessEnv): string {
  const folder = configured && isAbsolute(configured) ? configured : join(homedir(), '.local', 'state')
  return join(folder, 'lockerflow', 'callback-key')
}

/**
 * The key that signs callbacks to local addresses: the given one, or a random one that the first use writes to a file. It
 * stays the same, so that a receiver is configured once (D-266).
 * @throws CommandFailure for a key that is too short
 */
export async function readLocalKey(environment: NodeJS.ProcessEnv, given?: string): Promise<string> {
  if (given !== undefined) {
    if (signatureKey.safeParse(given).success) return given
    throw misuse('--key must be 16 to 200 printable ASCII characters without blanks.')
  }
  const file = localKeyFile(environment)
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (signatureKey.safeParse(kept.trim()).success) return kept.trim()
  const key = randomBytes(24).toString('base64url')
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, `${key}\n`, { mode: 0o600 })
  // The mode counts for a new file only.
  await chmod(file, 0o600)
  return key
}
