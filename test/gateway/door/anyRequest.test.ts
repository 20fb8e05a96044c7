import {
  type Arbitrary,
  anything,
  assert,
  asyncProperty,
  constantFrom,
  dictionary,
  oneof,
  option,
  record,
  string,
} from 'fast-check'
import { expect, test } from 'vitest'
import { doorOperations } from '../../../gateway/door/operations.ts'
import { problem } from '../../../gateway/door/problem.ts'
import { type ResultKind, resultSchemas, statusByKind } from '../../../gateway/door/results.ts'
import { useDoor } from '../../support/door/useDoor.ts'
import { seeded } from '../../support/seed.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const door = useDoor(world)

const text = oneof(
  string({ maxLength: 80 }),
  string({ unit: 'binary', maxLength: 20 }),
  constantFrom('', '..', 'a/b', '{}'),
)
const names = [
  'caseNo',
  'request',
  'windows',
  'reason',
  'decision',
  'by',
  'toUserUid',
  'step',
  'answer',
  'fields',
] as const
const value = oneof(text, constantFrom('extend', 'cancel', '1h'), anything({ maxDepth: 2 }), dictionary(text, text))
const body: Arbitrary<unknown> = oneof(
  dictionary(constantFrom(...names), value),
  record({ caseNo: text, request: dictionary(text, value) }),
  anything({ maxDepth: 1 }),
)
const query = dictionary(
  constantFrom('wait', 'timeout', 'flow', 'state', 'overdue', 'user', 'pageSize', 'cursor', 'where', 'picture', 'x'),
  oneof(text, constantFrom('booked', 'end', '1', 'true', "flow = 'stock'")),
)
const call = record({
  operation: constantFrom(...doorOperations),
  key: oneof(text, constantFrom('stock', 'issue', 'onboardAccount')),
  query,
  body: option(body, { nil: undefined }),
})

test('any request gets a result of its operation or a problem, and no failure', { timeout: 180_000 }, async () => {
  const { seed, numRuns } = seeded(60)
  await assert(
    asyncProperty(call, async ({ operation, key, query: given, body: sent }) => {
      const path = operation.path.replace(/\{\w+\}/, encodeURIComponent(key.toWellFormed()))
      // Waits are short, since most of the requests wait for nothing.
      const words = new URLSearchParams({ ...given, ...(operation.path !== '/flows' && { timeout: '1' }) })
      const answer = await door.call(
        operation.method,
        `${path}?${words}`,
        operation.method === 'GET' ? undefined : sent,
      )
      expect(answer.status).toBeLessThan(500)
      const { kind } = answer.body as { kind?: ResultKind }
      if (kind === undefined) {
        expect(problem.strict().parse(answer.body).status).toBe(answer.status)
        return
      }
      expect(operation.kinds).toContain(kind)
      expect(statusByKind[kind]).toBe(answer.status)
      const schema = resultSchemas[kind]
      if (answer.status < 400) schema.strict().parse(answer.body)
      else problem.extend(schema.shape).strict().parse(answer.body)
    }),
    { seed, numRuns },
  )
})
