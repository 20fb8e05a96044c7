import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { FlowApi } from '../../../gateway/flowApi/index.ts'
import { converterOf, newKey } from '../../support/codec/keys.ts'
import { callsOf, useFlowApi } from '../../support/flowApi/useFlowApi.ts'
import { newFolder } from '../../support/service/temporaryStore.ts'
import { useWorld } from '../../support/world/useWorld.ts'

/** A flow of a team's own, without a booking. */
const approval = {
  name: 'approval',
  summary: 'A clerk approves a refund.',
  input: { reason: 'text' },
  steps: [
    {
      name: 'check',
      summary: 'The clerk approves or not.',
      ask: { approve: { cents: 'integer' }, reject: {} },
      who: 'clerk',
      window: '1h',
      onTimeout: 'remind',
    },
  ],
  outputs: { cents: 'check.cents' },
} as const satisfies FlowDeclaration

/** Two questions for two roles. The gateway has an older declaration, in which the clerk pays. */
const refund = {
  name: 'refund',
  summary: 'A refund is approved and paid.',
  input: {},
  steps: [
    { name: 'check', summary: 'The clerk approves.', ask: { approve: {} }, who: 'clerk', window: null },
    { name: 'pay', summary: 'The cashier pays.', ask: { paid: {} }, who: 'cashier', window: null },
  ],
} as const satisfies FlowDeclaration
const olderRefund = { ...refund, steps: refund.steps.map(step => ({ ...step, who: 'clerk' })) }

/** A question for another role comes after the first one. */
const purchase = {
  name: 'purchase',
  summary: 'A purchase is measured by a clerk and approved by a manager.',
  input: {},
  steps: [
    { name: 'size', summary: 'The clerk measures.', ask: { measured: {} }, who: 'clerk', window: null },
    { name: 'approve', summary: 'The manager approves.', ask: { yes: {} }, who: 'manager', window: null },
  ],
} as const satisfies FlowDeclaration

const reason = 'the blue bicycle of Robin Reader'
const { folder, remove } = newFolder()
const dataConverter = converterOf(newKey('2026-12'))
const world = useWorld({ dataConverter })
const flowApi = useFlowApi(world)
let own: FlowApi
let call: typeof flowApi.call

beforeAll(async () => {
  for (const flow of [approval, olderRefund, purchase])
    writeFileSync(join(folder, `${flow.name}.json`), JSON.stringify(flow))
  await world.restartWorker({ flows: [approval, refund, purchase] })
  own = await flowApi.open({ flowFiles: [join(folder, '*.json')], dataConverter })
  call = await callsIn(['clerk'])
})
afterAll(remove)

/** Calls with a token that has these roles; undefined for one without the claim. */
async function callsIn(roles?: unknown): Promise<typeof call> {
  return callsOf(own.address, await flowApi.issuer.token({ claims: { roles } }))
}

function start(wait?: 'end') {
  const caseNo = world.newCase(0)
  const path = `/flows/approval${wait ? `?wait=${wait}` : ''}`
  return { caseNo, answer: call('POST', path, { caseNo, request: { reason } }) }
}

test('a custom flow starts, asks, takes the answer and ends with its outputs', async () => {
  const { caseNo, answer } = start()
  expect(await answer).toMatchObject({ status: 202, body: { kind: 'Started', caseNo } })
  const question = { step: 'check', who: 'clerk', answers: { approve: { cents: 'integer' }, reject: {} } }
  await expect.poll(async () => (await call('GET', `/flows/${caseNo}`)).body.status?.asks).toEqual(question)
  const wrong = await call('POST', `/flows/${caseNo}/answer`, { step: 'check', answer: 'approve', fields: {} })
  expect(wrong).toMatchObject({ status: 422, body: { kind: 'Refused', message: expect.stringContaining('cents') } })
  const given = { step: 'check', answer: 'approve', fields: { cents: 2_500 }, by: 'Ann' }
  const answered = await call('POST', `/flows/${caseNo}/answer`, given)
  expect(answered).toMatchObject({ status: 200, body: { kind: 'Answered', ...given } })
  const again = await call('POST', '/flows/approval?wait=end', { caseNo, request: { reason } })
  expect(again).toMatchObject({
    status: 200,
    body: { kind: expect.stringMatching('CaseFinished|Ended'), result: { flow: 'approval', caseNo, cents: 2_500 } },
  })
  const { events } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  const [begun] = events ?? []
  const payloads = begun?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []
  expect(payloads).toHaveLength(1)
  for (const { data } of payloads) expect(Buffer.from(data ?? []).toString()).not.toContain('bicycle')
})

describe('an answer', () => {
  const answerOf = (caller: typeof call, caseNo: string, step: string, answer: string) =>
    caller('POST', `/flows/${caseNo}/answer`, { step, answer })

  async function startFlow(flow: string, step: string): Promise<string> {
    const caseNo = world.newCase(0)
    await call('POST', `/flows/${flow}`, { caseNo, request: {} })
    await world.statusWhen(caseNo, ({ asks }) => asks?.step === step)
    return caseNo
  }
  const startRefund = () => startFlow('refund', 'check')

  test.each([
    ['without the claim', undefined],
    ['in another role', ['cashier', 'clerks']],
    ['in a role that only contains it', 'clerk cashier'],
  ])('%s is refused, and names the role', async (_, roles) => {
    const caseNo = await startRefund()
    const refused = await answerOf(await callsIn(roles), caseNo, 'check', 'approve')
    expect(refused).toMatchObject({ status: 403, body: { status: 403, code: 'Forbidden' } })
    expect(refused.body.detail).toContain('The access token lacks the role clerk, which answers check.')
    expect(refused.headers.get('www-authenticate')).toContain('insufficient_scope')
    expect((await world.statusWhen(caseNo, () => true)).asks).toMatchObject({ step: 'check' })
    await world.flows.cancel(caseNo, 'over')
  })

  test('needs the role of the running flow, also before the flow asks and after it has the answer', async () => {
    const caseNo = await startRefund()
    const [clerk, cashier] = [await callsIn('clerk'), await callsIn(['cashier'])]
    expect(await answerOf(clerk, caseNo, 'pay', 'paid')).toMatchObject({ status: 403 })
    const early = await answerOf(cashier, caseNo, 'pay', 'paid')
    expect(early).toMatchObject({ status: 422, body: { kind: 'Refused', code: 'NotAskedYet' } })
    expect(await answerOf(clerk, caseNo, 'check', 'approve')).toMatchObject({ status: 200 })
    expect(await answerOf(cashier, caseNo, 'check', 'approve')).toMatchObject({ status: 403 })
    expect(await answerOf(clerk, caseNo, 'check', 'approve')).toMatchObject({ body: { kind: 'Answered' } })
    expect(await answerOf(clerk, caseNo, 'pay', 'paid')).toMatchObject({ status: 403 })
    expect(await answerOf(cashier, caseNo, 'pay', 'paid')).toMatchObject({ body: { kind: 'Answered' } })
    await world.flows.result(caseNo)
    const over = await answerOf(cashier, caseNo, 'pay', 'paid')
    expect(over).toMatchObject({ status: 422, body: { kind: 'Refused', code: 'FlowEnded' } })
  })

  test('needs the role of the question before the flow asks it, too', async () => {
    const caseNo = await startFlow('purchase', 'size')
    const [clerk, manager] = [await callsIn('clerk'), await callsIn('manager')]
    expect(await answerOf(clerk, caseNo, 'approve', 'yes')).toMatchObject({ status: 403 })
    const early = { status: 422, body: { code: 'NotAskedYet' } }
    expect(await answerOf(manager, caseNo, 'approve', 'yes')).toMatchObject(early)
    expect(await answerOf(clerk, caseNo, 'size', 'measured')).toMatchObject({ status: 200 })
    await world.statusWhen(caseNo, ({ asks }) => asks?.step === 'approve')
    expect(await answerOf(clerk, caseNo, 'approve', 'yes')).toMatchObject({ status: 403 })
    expect(await answerOf(manager, caseNo, 'approve', 'yes')).toMatchObject({ status: 200 })
    await world.flows.result(caseNo)
  })

  test('of a step that asks nothing needs no role', async () => {
    const caseNo = await startRefund()
    const answer = await answerOf(await callsIn(), caseNo, 'book', 'approve')
    expect(answer).toMatchObject({ status: 422, body: { code: 'InvalidFlowInput' } })
    await world.flows.cancel(caseNo, 'over')
  })

  test('has the refusal in the document of the flow API', async () => {
    const { body } = await call('GET', '/openapi.json')
    const { responses, description } = body.paths['/flows/{caseNo}/answer'].post
    expect(responses['403']).toBeDefined()
    expect(description).toMatch(/role .*`who`.* 403 .*`Forbidden`/)
  })
})

test('a field that the declaration does not have is refused with its name, and starts no workflow', async () => {
  const caseNo = `N-${randomUUID()}`
  const answer = await call('POST', '/flows/approval?wait=end', { caseNo, request: { reason, amount: 1 } })
  expect(answer).toMatchObject({ status: 422, body: { kind: 'Refused', code: 'InvalidFlowInput' } })
  expect(answer.body.message).toContain('amount')
  expect(await call('GET', `/flows/${caseNo}`)).toMatchObject({ status: 404, body: { code: 'UnknownCase' } })
})

test('its name is in the document of its flow API, and unknown at another one', async () => {
  const { body } = await call('GET', '/openapi.json')
  expect(body.paths['/flows/{key}'].post.parameters[0].schema.examples).toContain('approval')
  const other = await flowApi.call('POST', '/flows/approval', { caseNo: 'never-started', request: { reason } })
  expect(other).toMatchObject({ status: 404, body: { code: 'UnknownFlow' } })
})
