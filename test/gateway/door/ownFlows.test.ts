import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { Door } from '../../../gateway/door/index.ts'
import { converterOf, newKey } from '../../support/codec/keys.ts'
import { callsOf, useDoor } from '../../support/door/useDoor.ts'
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

const reason = 'the blue bicycle of Robin Reader'
const { folder, remove } = newFolder()
const dataConverter = converterOf(newKey('2026-12'))
const world = useWorld({ dataConverter })
const door = useDoor(world)
let own: Door
let call: typeof door.call

beforeAll(async () => {
  const file = join(folder, 'approval.json')
  writeFileSync(file, JSON.stringify(approval))
  await world.restartWorker({ flows: [approval] })
  own = await door.open({ flowFiles: [file], dataConverter })
  call = callsOf(own.address, await door.issuer.token())
})
afterAll(remove)

function start(wait?: 'end') {
  const caseNo = world.newCase(0)
  const path = `/flows/approval${wait ? `?wait=${wait}` : ''}`
  return { caseNo, answer: call('POST', path, { caseNo, request: { reason } }) }
}

test('an own flow starts, asks, takes the answer and ends with its outputs', async () => {
  const { caseNo, answer } = start()
  expect(await answer).toMatchObject({ status: 202, body: { kind: 'Started', caseNo } })
  const question = { step: 'check', who: 'clerk', answers: { approve: { cents: 'integer' }, reject: {} } }
  await expect
    .poll(async () => (await call('GET', `/flows/${caseNo}`)).body.status?.asks, { timeout: 30_000 })
    .toEqual(question)
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

test('a field that the declaration does not have is refused with its name', async () => {
  const answer = await call('POST', '/flows/approval?wait=end', {
    caseNo: world.newCase(0),
    request: { reason, amount: 1 },
  })
  expect(answer).toMatchObject({ status: 422, body: { kind: 'Refused', code: 'InvalidFlowInput' } })
  expect(answer.body.message).toContain('amount')
})

test('its name is in the document of its door, and unknown at another one', async () => {
  const { body } = await call('GET', '/openapi.json')
  expect(body.paths['/flows/{key}'].post.parameters[0].schema.examples).toContain('approval')
  const other = await door.call('POST', '/flows/approval', { caseNo: 'never-started', request: { reason } })
  expect(other).toMatchObject({ status: 404, body: { code: 'UnknownFlow' } })
})
