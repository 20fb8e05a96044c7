import { randomUUID } from 'node:crypto'
import { RawValue } from '@temporalio/common'
import { beforeAll, expect, test } from 'vitest'
import { type AnswerUpdate, outputLimits, searchAttributes, toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { answer } from '#flows/messages'
import { inputLimits } from '../../activities/plan/input.ts'
import { growOld } from '../support/flows/longHistories.ts'
import { codeOf } from '../support/flows/useWorkshop.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

/** Sends its input in every kind of request, before and after a question. */
const noted = {
  name: 'noted',
  summary: 'A locker is booked, and a note is sent.',
  input: { ToUserUid: 'text', note: 'text' },
  steps: [
    { name: 'booking', summary: 'Book.', book: 'CreateLocalShipmentAsStock', request: parcel },
    {
      name: 'approval',
      summary: 'Ask.',
      ask: { yes: {}, no: { why: 'text' } },
      who: 'staff',
      window: '30d',
      onTimeout: 'remind',
    },
    {
      name: 'note',
      summary: 'Send the note.',
      run: 'send',
      with: { to: { from: 'input.ToUserUid' }, note: { from: 'input.note' } },
      keep: {},
      undo: 'nothing',
      timeout: '30s',
    },
    { name: 'dropOff', summary: 'Wait.', wait: { stock: 'WaitForReceiver' }, window: '1h', onTimeout: 'cancel' },
  ],
  outputs: { stockShipmentUid: 'stock.shipmentUid', why: 'approval.why' },
} as const satisfies FlowDeclaration

const [booking, , , dropOff] = noted.steps

/** Sends ten copies of its note and the number of its label, by one step. */
function copying(name: string, step: object): FlowDeclaration {
  const label = { name: 'label', summary: 'Print.', run: 'print', with: null, keep: { no: 'uid' }, undo: 'undoPrint' }
  const steps = [booking, { ...label, timeout: '30s' }, { name: 'copies', summary: 'Send.', ...step }, dropOff]
  return { ...noted, name, steps, outputs: { no: 'label.no' } } as FlowDeclaration
}

const note = { from: 'input.note' } as const
const copies = Array.from({ length: 10 }, () => note)
const run = { run: 'send', keep: {}, undo: 'undoSend', timeout: '30s' }
const names = [
  'firstName',
  'lastName',
  'streetName',
  'streetNo',
  'mailbox',
  'city',
  'countryCode',
  'phoneNumber',
  'emailAddress',
]
const request = { userUid: { from: 'label.no' }, ...Object.fromEntries(names.map(name => [name, note])) }
const copyingFlows = {
  copyingRun: copying('copyingRun', { ...run, with: { no: { from: 'label.no' }, copies } }),
  copyingCall: copying('copyingCall', { call: 'SetAccountDetails', request }),
  copyingAtOnce: copying('copyingAtOnce', { ...run, with: copies }),
  copyingAnswer: {
    ...noted,
    name: 'copyingAnswer',
    outputs: Object.fromEntries(Array.from({ length: 140 }, (_, copy) => [`copy${copy}`, 'approval.why'])),
  },
  copyingOutputs: {
    ...noted,
    name: 'copyingOutputs',
    outputs: { why: 'approval.why', ...Object.fromEntries(copies.map(({ from }, copy) => [`copy${copy}`, from])) },
  },
} as const satisfies Record<string, FlowDeclaration>

/** Lengths of the notes that were sent. */
const sent: number[] = []
/** Steps that were undone. */
const undone: string[] = []
const world = useWorld()

beforeAll(() => {
  const send = async ({ note }: { note: string }) => {
    sent.push(note.length)
    return {}
  }
  const activities = {
    send,
    print: async () => ({ no: 'L-1' }),
    undoPrint: async () => void undone.push('label'),
    undoSend: async () => void undone.push('copies'),
  }
  return world.restartWorker({ flows: [noted, ...Object.values(copyingFlows)], activities })
})

function start(request: { ToUserUid: string; note: string }, flow = 'noted') {
  const caseNo = randomUUID()
  const options = {
    taskQueue: world.taskQueue,
    workflowId: toWorkflowId(caseNo),
    args: [{ caseNo, request }],
  }
  return world.client.workflow.start(flow, options).then(() => caseNo)
}

test('a text with the name of a user field can be longer than a search attribute', async () => {
  const caseNo = await start({ ToUserUid: 'u'.repeat(3_000), note: '' })
  await world.statusWhen(caseNo, ({ step }) => step === 'approval')
  const flow = world.client.workflow.getHandle(toWorkflowId(caseNo))
  const { typedSearchAttributes } = await flow.describe()
  const names = typedSearchAttributes.getAll().map(({ key }) => key.name)
  expect(names).toContain(searchAttributes.pickUpPoint.name)
  expect(names).not.toContain(searchAttributes.user.name)
  await world.flows.cancel(caseNo, 'over')
  world.cases.set(caseNo, 1)
})

test('the largest request fits a run that continues as new', async () => {
  const note = 'n'.repeat(inputLimits.request - 100)
  const caseNo = await start({ ToUserUid: 'U', note })
  await world.statusWhen(caseNo, ({ step }) => step === 'approval')
  await growOld(world, caseNo)
  const flow = world.client.workflow.getHandle(toWorkflowId(caseNo))
  await flow.executeUpdate(answer, { args: [{ step: 'approval', answer: 'yes', fields: {} }] })
  const { shipments } = await world.statusWhen(caseNo, ({ step }) => step === 'dropOff')
  for (const shipment of shipments) await world.open(shipment, 'deliveryCode')
  expect(await flow.result()).toMatchObject({ outcome: 'completed' })
  expect(sent).toEqual([note.length])
  world.cases.set(caseNo, 1)
})

test('a larger request is refused before it books', async () => {
  const caseNo = await start({ ToUserUid: 'U', note: 'n'.repeat(inputLimits.request) })
  expect(await world.flows.result(caseNo)).toMatchObject({ kind: 'Refused', code: 'InvalidFlowInput' })
  expect(await world.shipmentsOf(caseNo)).toEqual([])
})

test.each([5_000, 50_000])('a request of %i levels is refused before it books', async levels => {
  const caseNo = randomUUID()
  const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`
  const text = `{"caseNo":"${caseNo}","request":{"ToUserUid":"U","note":"","deep":${deep}}}`
  const input = RawValue.fromPayload({ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(text) })
  const { taskQueue } = world
  await world.client.workflow.start('noted', { taskQueue, workflowId: toWorkflowId(caseNo), args: [input] })
  expect(await world.flows.waitForEnd(caseNo, { timeout: 20_000 })).toMatchObject({
    kind: 'Refused',
    code: 'InvalidFlowInput',
    message: expect.stringContaining('request: must have at most 100 levels of lists and objects.'),
  })
  expect(await world.shipmentsOf(caseNo)).toEqual([])
})

test.each([
  ['copyingRun', 'with'],
  ['copyingCall', 'request'],
])('a step that would send too much fails before it begins, and the flow %s is undone', async (flow, field) => {
  undone.length = 0
  const caseNo = await start({ ToUserUid: 'U', note: 'n'.repeat(250_000) }, flow)
  world.cases.set(caseNo, 1)
  expect(await world.flows.result(caseNo)).toMatchObject({
    kind: 'Refused',
    code: 'InvalidFlowInput',
    message: expect.stringMatching(new RegExp(`^copies\\.${field}: must have at most 1048576 bytes, got 2\\d{6}\\.`)),
  })
  expect(undone).toEqual(['label'])
  expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
})

test.each([
  ['copyingAtOnce', 'in all its places in step copies'],
  ['copyingOutputs', 'in all its places in the outputs of the flow'],
])('a request that %s has too often is refused before the flow books', async (flow, places) => {
  const caseNo = await start({ ToUserUid: 'U', note: 'n'.repeat(250_000) }, flow)
  expect(await world.flows.result(caseNo)).toMatchObject({
    kind: 'Refused',
    code: 'InvalidFlowInput',
    message: expect.stringContaining(`request: must have at most 1048576 bytes ${places}, got 2`),
  })
  expect(await world.shipmentsOf(caseNo)).toEqual([])
})

test('an answer that the result would have too often is refused', async () => {
  const caseNo = await start({ ToUserUid: 'U', note: '' }, 'copyingAnswer')
  world.cases.set(caseNo, 1)
  await world.statusWhen(caseNo, ({ step }) => step === 'approval')
  const flow = world.client.workflow.getHandle(toWorkflowId(caseNo))
  const no = { step: 'approval', answer: 'no', fields: { why: 'w'.repeat(16_000) } }
  expect(await codeOf(flow.executeUpdate(answer, { args: [no] }))).toBe('OutputTooLarge')
  await world.flows.cancel(caseNo, 'over')
})

test('an answer that is too large is refused, and a shorter one is taken', async () => {
  const caseNo = await start({ ToUserUid: 'U', note: '' })
  world.cases.set(caseNo, 1)
  await world.statusWhen(caseNo, ({ step }) => step === 'approval')
  const flow = world.client.workflow.getHandle(toWorkflowId(caseNo))
  const give = (update: AnswerUpdate) => flow.executeUpdate(answer, { args: [update] })
  const no = { step: 'approval', answer: 'no', fields: { why: 'w'.repeat(outputLimits.step) } }
  expect(await codeOf(give(no))).toBe('OutputTooLarge')
  expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ asks: { step: 'approval' } })
  expect(await give({ ...no, fields: { why: 'short' } })).toMatchObject({ answer: 'no', fields: { why: 'short' } })
  await world.statusWhen(caseNo, ({ step }) => step === 'dropOff')
  await world.flows.cancel(caseNo, 'over')
})
