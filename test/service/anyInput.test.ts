import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { envelope, type Operation, type OperationName, operations } from '#contract'
import { errors, isErrorCode } from '#contract/terms'
import { seeded } from '../setup/seed.ts'
import { startTestService, type TestService } from './harness.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})

afterAll(() => service.stop())

const asJson = Object.entries(operations as Record<string, Operation>).filter(([, { upload }]) => upload !== true)

/** What people, programs and attackers put where something else is expected. */
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
function bodyOf({ request }: Operation): fc.Arbitrary<unknown> {
  const keys = Object.keys(request.shape)
  const record = fc.record(Object.fromEntries(keys.map(key => [key, strange])), { requiredKeys: [] })
  return fc.oneof({ weight: 4, arbitrary: record }, { weight: 1, arbitrary: strange })
}

describe('whatever the body is', () => {
  test.each(asJson)(
    '%s answers with the envelope and a code of the table, and never fails',
    async (name, operation) => {
      await fc.assert(
        fc.asyncProperty(bodyOf(operation), async body => {
          const { status, body: answer } = await service.call(name as OperationName, body)
          expect(envelope.safeParse(answer).success).toBe(true)
          if (answer.success) expect({ status, error: answer.error }).toEqual({ status: 200, error: null })
          else {
            const code = answer.error ?? ''
            expect({ code, known: isErrorCode(code) }).toEqual({ code, known: true })
            expect(status).toBe(isErrorCode(code) ? errors[code].status : 0)
            expect(status).toBeLessThan(500)
            expect(answer.message).toBeTruthy()
          }
        }),
        seeded(60),
      )
    },
  )
})
