import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld } from '../../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../../support/world/serviceWorld.ts'

let world: ServiceWorld
let mine: string
let foreign: string

beforeAll(async () => {
  world = await createWorld()
  const person = { firstName: 'Ada', lastName: 'Lovelace' }
  const one = { ...person, emailAddress: 'Mine@home.example', userName: 'Mine', pickUpPointUid: 'square' }
  const other = { ...person, emailAddress: 'foreign@away.example', userName: 'foreign', pickUpPointUid: 'harbour' }
  mine = (await world.call('CreateAccount', one)).userUid ?? ''
  foreign = (await world.call('CreateAccount', other, 'globex')).userUid ?? ''
})

afterAll(() => world.stop())

const envelope = { success: true, error: null, message: null }
const blank = {
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
const unknown = { ...envelope, ...blank, userUid: null, isExisting: false, canManageUser: false }

const rows: { what: string; ask: () => object; finds: 'mine' | 'foreign' | 'nothing' }[] = [
  { what: 'its uid', ask: () => ({ userUid: mine }), finds: 'mine' },
  { what: 'its user name, in any casing', ask: () => ({ userName: 'MINE' }), finds: 'mine' },
  { what: 'its user name with blanks around it', ask: () => ({ userName: ' Mine\t' }), finds: 'mine' },
  {
    what: 'a user name of blanks, then its address',
    ask: () => ({ userName: ' ', emailAddress: 'mine@home.example' }),
    finds: 'mine',
  },
  { what: 'its address, in any casing', ask: () => ({ emailAddress: 'MINE@home.EXAMPLE' }), finds: 'mine' },
  { what: 'the first key that finds something', ask: () => ({ userUid: 'x', userName: 'mine' }), finds: 'mine' },
  {
    what: 'empty and null keys before it',
    ask: () => ({ userUid: '', userName: null, emailAddress: 'mine@home.example' }),
    finds: 'mine',
  },
  { what: 'a foreign uid', ask: () => ({ userUid: foreign }), finds: 'nothing' },
  { what: 'a foreign user name', ask: () => ({ userName: 'foreign' }), finds: 'nothing' },
  { what: 'a foreign address', ask: () => ({ emailAddress: 'Foreign@away.example' }), finds: 'foreign' },
  { what: 'an unknown uid', ask: () => ({ userUid: 'x' }), finds: 'nothing' },
  { what: 'an unknown user name', ask: () => ({ userName: 'x' }), finds: 'nothing' },
  { what: 'an unknown address', ask: () => ({ emailAddress: 'x@home.example' }), finds: 'nothing' },
  { what: 'nothing at all', ask: () => ({}), finds: 'nothing' },
]

describe('GetAccount by', () => {
  test.each(rows)('$what finds $finds', async ({ ask, finds }) => {
    const response = await world.call('GetAccount', ask())
    if (finds === 'nothing') expect(response).toEqual(unknown)
    if (finds === 'foreign') expect(response).toEqual({ ...unknown, userUid: foreign, isExisting: true })
    if (finds === 'mine') {
      expect(response).toEqual({
        ...envelope,
        ...blank,
        userUid: mine,
        isExisting: true,
        canManageUser: true,
        userName: 'Mine',
        firstName: 'Ada',
        lastName: 'Lovelace',
        emailAddress: 'Mine@home.example',
        mainPupUid: 'square',
        mainPupName: 'Station Square',
        mailCode: expect.any(String),
      })
    }
  })
})

test('an account at a shared pick up point is managed by both tenants', async () => {
  const ask = { firstName: 'Ada', lastName: 'L', emailAddress: 'both@home.example', pickUpPointUid: 'shared' }
  const { userUid } = await world.call('CreateAccount', ask)
  expect(await world.call('GetAccount', { userUid }, 'globex')).toMatchObject({ userUid, canManageUser: true })
})
