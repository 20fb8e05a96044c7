import { onTestFinished } from 'vitest'
import type { RequestOf } from '#contract'
import { createWorld } from '../world/createWorld.ts'
import type { ServiceWorld } from '../world/serviceWorld.ts'

/** The required fields of a request besides the e-mail address. */
export const person = { firstName: 'Ada', lastName: 'Lovelace', pickUpPointUid: 'square' }

/** The fields that are null for an account of another tenant. */
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

/** Existing accounts: two of the caller, one of them with an unchangeable address, and one of globex. */
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
export async function startWithAccounts(): Promise<{ world: ServiceWorld; uids: Record<string, string | null> }> {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  const uids: Record<string, string | null> = {}
  for (const { tenant, ask } of there) {
    const { userUid } = await world.call('CreateAccount', ask, tenant)
    uids[ask.userName?.toLowerCase() ?? ''] = userUid
  }
  return { world, uids }
}
