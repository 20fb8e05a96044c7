import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FlowApi } from '../../../gateway/flowApi/index.ts'
import { flowApiOperations, watchOperation } from '../../../gateway/flowApi/operations.ts'
import { problem } from '../../../gateway/flowApi/problem.ts'
import type { Scope } from '../../../gateway/flowApi/tokens/issuer.ts'
import { type Issuer, startIssuer } from '../../support/flowApi/issuer.ts'
import { callsOf } from '../../support/flowApi/useFlowApi.ts'
import { startLoneFlowApi } from '../../support/flowApi/withoutTemporal.ts'

const operations = [...flowApiOperations, watchOperation]
const other: Readonly<Record<Scope, Scope>> = { 'flows:read': 'flows:write', 'flows:write': 'flows:read' }
const named = operations.map(({ name, method, path, scope }) => ({ name, method, path, scope }))

let issuer: Issuer
let flowApi: FlowApi

beforeAll(async () => {
  issuer = await startIssuer()
  flowApi = await startLoneFlowApi({
    issuers: [{ kind: 'openid', issuer: issuer.url, audience: issuer.audience }],
    limits: { eventLoopDelay: 60_000 },
  })
})

afterAll(async () => {
  await flowApi.stop(1_000)
  await issuer.stop()
})

/** Calls an operation about a case that no path can name, so that no call reaches Temporal. */
async function callWith(scope: string, { method, path }: (typeof named)[number]) {
  const token = await issuer.token({ claims: { scope } })
  const impossible = `${path.replace(/\{\w+\}/, 'x'.repeat(61))}?unknown=1`
  return callsOf(flowApi.address, token)(method, impossible, method === 'GET' ? undefined : {})
}

test('reads need flows:read, and everything else flows:write', () => {
  expect(Object.fromEntries(named.map(({ name, scope }) => [name, scope]))).toEqual(
    Object.fromEntries(named.map(({ name, method }) => [name, method === 'GET' ? 'flows:read' : 'flows:write'])),
  )
})

test.each(named)('$name is refused to a token with the other scope alone', async operation => {
  const { status, headers, body } = await callWith(other[operation.scope], operation)
  expect(status).toBe(403)
  expect(problem.strict().parse(body)).toMatchObject({
    status: 403,
    code: 'Forbidden',
    detail: expect.stringContaining(`lacks the scope ${operation.scope}`),
  })
  expect(headers.get('www-authenticate')).toBe('Bearer realm="lockerflow", error="insufficient_scope"')
})

test.each(named)('$name is refused to a token with neither scope', async operation => {
  expect(await callWith('openid', operation)).toMatchObject({ status: 403, body: { code: 'Forbidden' } })
})

test.each(named)('$name accepts a token with its scope alone', async operation => {
  const { body } = await callWith(operation.scope, operation)
  expect(body.code).toMatch(/^(InvalidRequest|UnknownCase)$/)
})
