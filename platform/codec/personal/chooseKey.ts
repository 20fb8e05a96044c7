import { createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { unassignedKeyAge } from '#contract/terms'
import type { Row } from './database.ts'
import type { PersonalKey } from './keys.ts'
import type { Seal } from './seal.ts'
import { statements } from './statements.ts'
import type { RunStatement } from './table.ts'

/** The person of a payload. */
export interface Subject {
  /** The hash of the address, or of the uid. */
  readonly subject: string
  /** The hash of the address. */
  readonly address: string | null
  readonly userUid: string | undefined
}

/** True for a key that no account got in time: the flow failed, or found an account of another address. */
export function isExpired({ user_uid, created_at }: Row, now: number): boolean {
  return user_uid === null && Number(created_at) < now - unassignedKeyAge
}

/**
 * Finds or creates the key of a person. An address that a payload gives to another account gets a new key.
 * @param clock milliseconds since 1970
 */
export async function chooseKey(
  all: RunStatement,
  { seal, unseal }: Seal,
  clock: () => number,
  { subject, address, userUid }: Subject,
): Promise<PersonalKey> {
  for (;;) {
    const [row] = await all(statements.findSubject, subject)
    const key = row && unseal(row.sealed_key)
    const id = String(row?.key_id)
    if (row === undefined || key === undefined) {
      const sealed = seal(randomBytes(32))
      await all(statements.insertKey, randomUUID(), subject, address, userUid ?? null, sealed, clock())
    } else if (isExpired(row, clock())) {
      await all(statements.forgetUnassigned, clock(), id)
    } else if (userUid !== undefined && row.user_uid !== null && row.user_uid !== userUid) {
      await all(statements.leaveSubject, id)
    } else {
      if (userUid !== undefined && row.user_uid === null) await all(statements.assign, userUid, id)
      return { id, key: createSecretKey(key) }
    }
  }
}
