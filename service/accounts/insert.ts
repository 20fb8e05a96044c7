import { randomInt, randomUUID } from 'node:crypto'
import type { ReadRequestOf } from '#contract'
import type { Call } from '../call.ts'
import { toKey } from './load.ts'
import { emptyMutationConfig } from './mutationConfig.ts'

/**
 * Inserts an account; its user name defaults to its e-mail address at any time (D-123).
 * @returns its uid, or undefined if a concurrent call took the address, the user name or the mail code
 */
export async function insertAccount(
  { tx, now }: Call,
  request: ReadRequestOf<'CreateAccount'>,
): Promise<string | undefined> {
  const userName = request.userName ?? null
  const inserted = await tx
    .insertInto('accounts')
    .values({
      user_uid: randomUUID(),
      user_name: userName,
      user_name_key: toKey(userName ?? request.emailAddress),
      email: request.emailAddress,
      email_key: toKey(request.emailAddress),
      first_name: request.firstName,
      last_name: request.lastName,
      phone_number: request.phoneNumber ?? null,
      language_code: request.languageCode ?? null,
      street_name: request.streetName ?? null,
      street_no: request.streetNo ?? null,
      mailbox: request.mailbox ?? null,
      city: request.city ?? null,
      country_code: request.countryCode ?? null,
      main_pup_uid: request.pickUpPointUid,
      mail_code: newMailCode(),
      mutation_config: JSON.stringify(emptyMutationConfig),
      created_at: now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('user_uid')
    .executeTakeFirst()
  return inserted?.user_uid
}

/** Excludes characters that people confuse: 0 and O, 1 and I. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Eight random characters (D-041). The chance of a collision among a million accounts is one half. */
export function newMailCode(): string {
  return Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
