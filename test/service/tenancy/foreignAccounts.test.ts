import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Operation, type OperationName, operations } from '#contract'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

let world: ServiceWorld
/** The uid of an account that only globex manages. */
let foreign: string

beforeEach(async () => {
  world = await createWorld()
  onTestFinished(() => world.stop())
  const person = { firstName: 'Ada', lastName: 'L', phoneNumber: '+31600000001', userName: 'foreign' }
  const ask = { ...person, emailAddress: 'a@away.example', pickUpPointUid: 'harbour' }
  foreign = (await world.call('CreateAccount', ask, 'globex')).userUid ?? ''
})

/** The other fields of each request, all valid for an account of the caller. */
const asks: Partial<Record<OperationName, object>> = {
  SetAccountDetails: { emailAddress: 'next@home.example', phoneNumber: '+31600000002' },
  SetAccountPickUpPoint: { pickUpPointUid: 'square' },
  SetAccountMutationConfig: { canChangeAddress: true },
  GetAccountMutationConfig: {},
  RemoveAccount: {},
  GetAccount: {},
  GetShipments: {},
  GetLocalShipments: {},
  GetCollectOnlyShipments: {},
}
const asked = Object.entries(asks) as [OperationName, object][]
const declared: Operation[] = Object.values(operations)

test('every operation with a userUid is tested', () => {
  const taking = declared.filter(({ request }) => 'userUid' in request.shape).map(({ name }) => name)
  expect(taking.toSorted()).toEqual(Object.keys(asks).toSorted())
})

describe('a foreign account gets the same response as an unknown one, and does not change (SPEC-4)', () => {
  test.each(asked)('%s', async (operation, ask) => {
    const before = await everything()
    const one = await world.service.call(operation, { userUid: foreign, ...ask })
    const other = await world.service.call(operation, { userUid: 'no-such-account', ...ask })
    expect({ status: one.status, text: one.text }).toEqual({ status: other.status, text: other.text })
    expect(await everything()).toEqual(before)
    expect(one.body.error).toBe(refusesUid(operation) ? 'InvalidUserUid' : null)
  })

  test.each(asked.filter(([operation]) => operations[operation].effect === 'change'))(
    '%s also where a later check would fail for one of the caller',
    async operation => {
      const ask = { emailAddress: 'dispatch@acme.example', pickUpPointUid: 'nowhere' }
      const one = await world.service.call(operation, { userUid: foreign, ...ask })
      const other = await world.service.call(operation, { userUid: 'no-such-account', ...ask })
      expect({ status: one.status, text: one.text }).toEqual({ status: other.status, text: other.text })
      expect(one.body.error).toBe('InvalidUserUid')
    },
  )

  test('although its own tenant may do all of that', async () => {
    const own = { SetAccountDetails: {}, SetAccountPickUpPoint: { pickUpPointUid: 'shared' } }
    for (const [operation, ask] of Object.entries({ ...asks, ...own }) as [OperationName, object][]) {
      const { body } = await world.service.call(operation, { userUid: foreign, ...ask }, { client: 'globex' })
      // Removed by then.
      const gone = operation === 'GetAccount' ? { success: true, userUid: null } : { success: true }
      expect({ operation, ...body }).toMatchObject(gone)
    }
  })
})

describe.each(asked.filter(([operation]) => refusesUid(operation)))('%s without a uid', (operation, ask) => {
  test.each([undefined, null, ''])('%s: InvalidUserUid (SPEC-95)', async userUid => {
    const { status, body } = await world.service.call(operation, { userUid, ...ask })
    expect({ status, error: body.error }).toEqual({ status: 200, error: 'InvalidUserUid' })
  })
})

function refusesUid(operation: OperationName): boolean {
  return declared.some(({ name, errors }) => name === operation && errors.includes('InvalidUserUid'))
}

function everything() {
  return world.service.store.selectFrom('accounts').selectAll().orderBy('user_uid').execute()
}
