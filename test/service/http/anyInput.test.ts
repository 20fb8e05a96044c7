import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { envelope, type Operation, type OperationName, operations } from '#contract'
import { errors, isErrorCode, requestErrors } from '#contract/terms'
import { seeded } from '../../support/seed.ts'
import { type ServiceResponse, startTestService, type TestService } from '../../support/service/testService.ts'
import { bodyOf, placesIn, put, sane } from '../../support/service/validRequest.ts'

let service: TestService
/** Existing identifiers, so that requests reach the store. */
let there: object

beforeAll(async () => {
  service = await startTestService()
  const { body: account } = await service.call('GetAccount', { userName: 'acme' })
  const place = { PupUid: 'pup-1', pupUid: 'pup-1', pickUpPointUid: 'pup-1', lockerName: '1' }
  const stock = bodyOf(operations.CreateLocalShipmentAsStock, { ...sane, ...place })
  const { body } = await service.call('CreateLocalShipmentAsStock', stock)
  expect({ found: account.userUid, made: body.shipmentUids }).toMatchObject({
    found: expect.any(String),
    made: [expect.any(String)],
  })
  const users = ['ToUserUid', 'FromUserUid', 'toUserUid', 'userUid'].map(field => [field, account.userUid])
  const shipments = ['shipmentUid', 'PriorShipmentUid'].map(field => [field, Object(body.shipmentUids)[0]])
  there = { ...place, ...Object.fromEntries([...users, ...shipments]) }
})

afterAll(() => service.stop())

const asJson = Object.entries(operations as Record<string, Operation>).filter(([, { upload }]) => upload !== true)

/** Unexpected values that people, programs and attackers send. */
const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '../..',
    "' or 1=1 --",
    'pup-1',
    'acme',
    '123456',
    'x'.repeat(2_000),
  ),
  fc.constantFrom<unknown>(-1, 0, 1e308, 1e-308, Number.MAX_SAFE_INTEGER, true, null, [], {}, [[]], { width: 1 }),
)

/** A body with the operation's own keys, in any casing, each with something strange or something likely. */
function anyBodyOf({ request }: Operation): fc.Arbitrary<unknown> {
  const keys = Object.keys(request.shape)
  const record = fc.record(Object.fromEntries(keys.map(key => [key, strange])), { requiredKeys: [] })
  return fc.oneof({ weight: 4, arbitrary: record }, { weight: 1, arbitrary: strange })
}

describe('with any body', () => {
  test.each(asJson)(
    '%s responds with the envelope and a code of the table, and never fails',
    async (name, operation) => {
      await fc.assert(
        fc.asyncProperty(anyBodyOf(operation), async body => {
          expectFair(operation, await service.call(name as OperationName, body))
        }),
        seeded(60),
      )
    },
  )
})

/** Values on which stores, parsers and arithmetic are known to fail. */
const oddities: readonly unknown[] = [
  ...['a\u0000b', '\ud800', '%00', '\\', '__proto__', '', '9999-12-31T23:59:59.999999999Z'],
  ...[Number.MAX_SAFE_INTEGER, 1e308, -1, [], {}],
]

describe('with one unexpected field and valid others', () => {
  test.each(asJson)('%s', async (name, operation) => {
    for (const place of placesIn(operation)) {
      const bodies = oddities.map(oddity => put(bodyOf(operation, { ...sane, ...there }), place, oddity))
      const responses = await Promise.all(bodies.map(body => service.call(name as OperationName, body)))
      for (const [at, response] of responses.entries()) expectFair(operation, response, bodies[at])
    }
  })
})

/** A success, or a refusal with a code that the operation declares or that any request can meet; never a failure. */
function expectFair(
  { errors: declared }: Operation,
  { status, body: response }: ServiceResponse,
  of: object = {},
): void {
  expect(envelope.safeParse(response).success).toBe(true)
  if (response.success) {
    expect({ ...of, status, error: response.error }).toEqual({ ...of, status: 200, error: null })
    return
  }
  const code = response.error ?? ''
  const expected = { ...of, code, declared: true, status: isErrorCode(code) ? errors[code].status : 0 }
  const isDeclared = code in requestErrors || declared.some(one => one === code)
  expect({ ...of, code, declared: isDeclared, status }).toEqual(expected)
  expect({ ...of, status: Math.min(status, 500) }).not.toMatchObject({ status: 500 })
  expect(response.message).toBeTruthy()
}
