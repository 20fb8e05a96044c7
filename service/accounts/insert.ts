import { randomUUID } from 'node:crypto'
import type { ReadRequestOf } from '#contract'
import type { Call } from '../operations/call.ts'
import { newMailCode } from '../topology/mailCode.ts'
import { folded } from './find.ts'
import { noMutationConfig } from './mutationConfig.ts'

/**
 * Adds an account; the user name defaults to the e-mail address.
 * @returns its uid; undefined when address, user name or mail code were taken meanwhile
 */
export async function insertAccount(
  { tx, now }: Call,
  request: ReadRequestOf<'CreateAccount'>,
): Promise<string | undefined> {
  const userName = request.userName ?? request.emailAddress
  const inserted = await tx
    .insertInto('accounts')
    .values({
      user_uid: randomUUID(),
      user_name: userName,
      user_name_key: folded(userName),
      email: request.emailAddress,
      email_key: folded(request.emailAddress),
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
      mutation_config: JSON.stringify(noMutationConfig),
      created: now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('user_uid')
    .executeTakeFirst()
  return inserted?.user_uid
}
