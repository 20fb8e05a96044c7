import { randomInt, randomUUID } from 'node:crypto'
import type { ReadRequestOf } from '#contract'
import type { Call } from '../call.ts'
import { toTextKey } from '../textKey.ts'
import { toDefaultNameKey } from './load.ts'
import { emptyMutationConfig } from './mutationConfig.ts'

/**
 * Inserts an account; its user name defaults to its e-mail address at any time.
 * @param userName null if it is the e-mail address
 * @param isGivenName whether another account has the e-mail address as its given user name
 * @returns its uid, or undefined if a concurrent call took the address, the user name or the mail code
 */
export async function insertAccount(
  { tx, now }: Call,
  request: ReadRequestOf<'CreateAccount'>,
  userName: string | null,
  isGivenName: boolean,
): Promise<string | undefined> {
  const inserted = await tx
    .insertInto('accounts')
    .values({
      user_uid: randomUUID(),
      user_name: userName,
      user_name_key: userName === null ? toDefaultNameKey(request.emailAddress, isGivenName) : toTextKey(userName),
      email: request.emailAddress,
      email_key: toTextKey(request.emailAddress),
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

/** Eight random characters. The chance of a collision among a million accounts is over a third. */
export function newMailCode(): string {
  return Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
