import {
  type Arbitrary,
  anything,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  dictionary,
  nat,
  oneof,
  option,
  record,
  string,
} from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { decisionPath, linkedDecisions, writeDecisionLink } from '#contract'
import { flowApiOperations, watchOperation } from '../../../gateway/flowApi/operations.ts'
import { problem } from '../../../gateway/flowApi/problem.ts'
import { type ResultKind, resultSchemas, statusByKind } from '../../../gateway/flowApi/results.ts'
import { useFlowApi } from '../../support/flowApi/useFlowApi.ts'
import { book } from '../../support/flows/booking.ts'
import { seeded } from '../../support/seed.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const linkKey = 'a-key-of-links-that-is-long-enough'
const flowApi = useFlowApi(world, { decisionKeys: [linkKey] })

/** A flow whose stream has an end, with the ids of its events. */
let ended: string
const eventIds: string[] = []

beforeAll(async () => {
  const { caseNo } = await book(world, 'stock')
  await world.flows.cancel(caseNo, 'over')
  for await (const item of world.flows.watch(caseNo)) if ('cursor' in item) eventIds.push(item.cursor)
  ended = caseNo
})

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
  operation: constantFrom(...flowApiOperations),
  key: oneof(text, constantFrom('stock', 'issue', 'onboardAccount')),
  query,
  body: option(body, { nil: undefined }),
})

test('any request gets a result of its operation or a problem, and no failure', async () => {
  const { seed, numRuns } = seeded(60)
  await assert(
    asyncProperty(call, async ({ operation, key, query: given, body: sent }) => {
      const path = operation.path.replace(/\{\w+\}/, encodeURIComponent(key.toWellFormed()))
      // Waits are short, since most of the requests wait for nothing.
      const words = new URLSearchParams({ ...given, ...(operation.path !== '/flows' && { timeout: '1' }) })
      const answer = await flowApi.call(
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

/** Cases that the requests above do not start. A path with the last two is another path. */
const unknownKey = oneof(
  text.map(key => `unknown ${key}`),
  constantFrom('', '..'),
)
const stream = record({
  isKnown: boolean(),
  key: unknownKey,
  id: option(oneof(string({ maxLength: 80 }), constantFrom('', 'end', '0')), { nil: undefined }),
  known: option(nat(), { nil: undefined }),
})

test('any request for events gets those of a flow to its end, or a problem', async () => {
  const { seed, numRuns } = seeded(40)
  const token = await flowApi.issuer.token()
  await assert(
    asyncProperty(stream, async ({ isKnown, key, id, known }) => {
      const caseNo = encodeURIComponent((isKnown ? ended : key).toWellFormed())
      const lastEventId = known === undefined ? id : eventIds[known % eventIds.length]
      const headers = {
        authorization: `Bearer ${token}`,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      }
      const response = await fetch(`${flowApi.address}/flows/${caseNo}/events`, { headers })
      const { status } = response
      const body = await response.text()
      if (status === 204) return void expect([lastEventId?.trim(), body]).toEqual(['end', ''])
      if (status === 200) {
        expect(isKnown).toBe(true)
        const events = body.split('\n\n').flatMap(block => /^data: (.*)$/m.exec(block)?.[1] ?? [])
        const items = events.map(event => JSON.parse(event) as { readonly kind: ResultKind })
        for (const item of items) resultSchemas[item.kind].strict().parse(item)
        expect(items.at(-1)?.kind).toBe('Ended')
        return
      }
      const refusal = JSON.parse(body) as { readonly kind?: ResultKind }
      expect(problem.parse(refusal).status).toBe(status)
      if (refusal.kind !== undefined) expect(watchOperation.kinds).toContain(refusal.kind)
      expect([404, 422]).toContain(status)
    }),
    { seed, numRuns },
  )
})

const hour = 3_600
const opening = record({
  method: constantFrom('GET', 'HEAD', 'POST'),
  isKnown: boolean(),
  isLate: boolean(),
  decision: constantFrom(...linkedDecisions),
  notification: text,
  // Absent for the link as it was signed.
  change: option(oneof(record({ at: nat(), to: string({ minLength: 1, maxLength: 1 }) }), text), { nil: undefined }),
})

test('any link shows a page, decides nothing about a flow that has ended, and is invalid once altered', async () => {
  const { seed, numRuns } = seeded(60)
  const now = Math.floor(Date.now() / 1_000)
  await assert(
    asyncProperty(opening, async ({ method, isKnown, isLate, decision, notification, change }) => {
      const caseNo = isKnown ? ended : 'nowhere'
      const link = { caseNo, notification, decision, expiresAt: isLate ? now - hour : now + hour }
      const signed = writeDecisionLink(linkKey, link)
      const token = change === undefined ? signed : alter(signed, change)
      const path = `${decisionPath}${encodeURIComponent(token.toWellFormed())}`
      const response = await fetch(flowApi.address + path, { method })
      const [body, type] = [await response.text(), response.headers.get('content-type')]
      if (token !== signed) expect(response.status).toBe(404)
      else expect(response.status).toBe(isLate ? 410 : method === 'POST' ? 409 : 200)
      if (type?.startsWith('text/html')) expect(body.startsWith('<!doctype html>')).toBe(method !== 'HEAD')
      // A client resolves a path of dots.
      else if (method !== 'HEAD') expect(problem.strict().parse(JSON.parse(body)).code).toBe('UnknownOperation')
    }),
    { seed, numRuns },
  )
})

function alter(token: string, change: string | { readonly at: number; readonly to: string }): string {
  if (typeof change === 'string') return change
  const at = change.at % token.length
  return token.slice(0, at) + change.to + token.slice(at + 1)
}
