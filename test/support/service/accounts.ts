import { onTestFinished } from 'vitest'
import type { RequestOf } from '#contract'
import { startWorld, type World } from './world.ts'

/** What a request needs beside its e-mail address. */
export const person = { firstName: 'Ada', lastName: 'Lovelace', pickUpPointUid: 'square' }

/** What is not told of an account that one may not manage. */
export const unseen = {
  userName: null,
  firstName: null,
  lastName: null,
  emailAddress: null,
  phoneNumber: null,
  mainPupUid: null,
  mainPupName: null,
  languageCode: null,
  mailCode: null,
}

/** Accounts that are there: two of the caller's, of which the address of one must not change, and one of globex. */
const there: { tenant: string; ask: RequestOf<'CreateAccount'> }[] = [
  { tenant: 'acme', ask: { ...person, emailAddress: 'Mine@Home.example', userName: 'Mine' } },
  {
    tenant: 'acme',
    ask: {
      ...person,
      emailAddress: 'fixed@home.example',
      userName: 'fixed',
      mutationConfig: { canChangeEmailAddress: false },
    },
  },
  {
    tenant: 'globex',
    ask: { ...person, emailAddress: 'foreign@away.example', userName: 'foreign', pickUpPointUid: 'harbour' },
  },
]

/** A world with these accounts, and their uids by user name. */
export async function startWithAccounts(): Promise<{ world: World; uids: Record<string, string | null> }> {
  const world = await startWorld()
  onTestFinished(() => world.stop())
  const uids: Record<string, string | null> = {}
  for (const { tenant, ask } of there) {
    const { userUid } = await world.call('CreateAccount', ask, tenant)
    uids[ask.userName?.toLowerCase() ?? ''] = userUid
  }
  return { world, uids }
}
