import { describe, expect, test } from 'vitest'
import { person, startWithAccounts } from '../../support/service/accounts.ts'

interface Row {
  email: string
  userName?: string
  create: string
  /** `mine`, `new` and so on: whose uid is answered; or the refusal. */
  createOrGet: string
}

const email = 'EmailAlreadyRegistered'
const rows: Row[] = [
  { email: 'new@home.example', create: 'new', createOrGet: 'new' },
  { email: 'new@home.example', userName: 'new', create: 'new', createOrGet: 'new' },
  { email: 'new@home.example', userName: 'MINE', create: 'UserNameAlreadyRegistered', createOrGet: 'mine, renamed' },
  { email: 'new@home.example', userName: 'fixed', create: 'UserNameAlreadyRegistered', createOrGet: email },
  { email: 'new@home.example', userName: 'foreign', create: 'AccessDenied', createOrGet: 'AccessDenied' },
  { email: 'mine@home.example', create: email, createOrGet: 'mine' },
  { email: 'MINE@HOME.EXAMPLE', userName: 'mine', create: email, createOrGet: 'mine' },
  { email: 'foreign@away.example', create: 'AccessDenied', createOrGet: 'foreign, hidden' },
  { email: 'Foreign@Away.example', userName: 'Foreign', create: 'AccessDenied', createOrGet: 'foreign, hidden' },
  { email: 'mine@home.example', userName: 'new', create: email, createOrGet: email },
  { email: 'mine@home.example', userName: 'fixed', create: email, createOrGet: email },
  { email: 'mine@home.example', userName: 'foreign', create: email, createOrGet: email },
  { email: 'foreign@away.example', userName: 'new', create: email, createOrGet: email },
  { email: 'foreign@away.example', userName: 'mine', create: email, createOrGet: email },
]

describe.each(['CreateAccount', 'CreateOrGetAccount'] as const)('registration (SPEC-68, SPEC-97): %s of', operation => {
  test.each(rows)('$email, $userName', async ({ email: emailAddress, userName, create, createOrGet }) => {
    const expected = operation === 'CreateAccount' ? create : createOrGet
    const { world, uids } = await startWithAccounts()
    const ask = { ...person, emailAddress, ...(userName !== undefined && { userName }) }
    const response = await world.call(operation, ask)
    const [whose = '', how] = expected.split(', ')
    if (whose !== 'new' && uids[whose] === undefined) {
      expect(response).toEqual({ success: false, error: expected, message: expect.any(String) })
      return
    }
    expect(response).toMatchObject({ success: true, error: null })
    expect(response.userUid).toEqual(uids[whose] ?? expect.any(String))
    expect('isExisting' in response ? response.isExisting : undefined).toBe(
      operation === 'CreateAccount' ? undefined : whose !== 'new',
    )
    expect(response.canManageUser).toBe(how !== 'hidden')
    const asGiven = whose === 'new' || how === 'renamed' ? emailAddress : 'Mine@Home.example'
    expect(response.emailAddress).toBe(how === 'hidden' ? null : asGiven)
  })
})
