import { Client, Connection } from '@temporalio/client'
import { describe, expect, test } from 'vitest'
import { createFlowClient } from '#client'
import { fullProfile } from '#contract/terms'
import { flows as builtIn, type FlowDeclaration, type FlowInput, toWorkflowId } from '#flows'
import { planFlow } from '../../activities/plan/index.ts'
import { findInvalidInput } from '../../client/input.ts'
import { repairShop } from '../../examples/repair-shop/flows/repairShop.ts'

const caseNo = 'R-1'
const right = {
  PupUid: 'pup-1',
  customerUid: 'user-1',
  size: { width: 30, height: 15, length: 40 },
  neededBy: '2026-12-01T12:00:00Z',
}

/** Nothing listens on this port, and a call of Temporal would fail. */
const away = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) })
const flows = createFlowClient(away, { flows: [repairShop] })
type Input = Parameters<typeof flows.start<'repairShop'>>[1]

const starts: Readonly<Record<string, (input: Input) => Promise<unknown>>> = {
  start: input => flows.start('repairShop', input),
  startAndWaitForBooking: input => flows.startAndWaitForBooking('repairShop', input),
  startAndWaitForEnd: input => flows.startAndWaitForEnd('repairShop', input),
}

test('a reason that a cancellation cannot have is refused before Temporal is asked', async () => {
  const refusal = { kind: 'Refused', code: 'InvalidFlowInput', message: expect.stringContaining('reason: must be') }
  expect(await flows.cancel(caseNo, { decision: 'extend' } as never)).toEqual(refusal)
})

/** The failure of the plan; undefined for a request that it accepts. */
function planned(flow: FlowDeclaration, request: unknown): unknown {
  const settings = {
    profile: fullProfile,
    pollInterval: { initial: 1_000, maximum: 1_000 },
    flows: { [flow.name]: flow },
  }
  const input = JSON.parse(JSON.stringify({ caseNo, request })) as FlowInput
  try {
    planFlow(settings, { flow: flow.name, workflowId: toWorkflowId(caseNo), input })
    return undefined
  } catch (error) {
    return error
  }
}

const wrong: readonly [string, object][] = [
  ['a field of another type', { ...right, customerUid: 7 }],
  ['a missing field', { ...right, neededBy: undefined }],
  ['a field that the flow does not have', { ...right, colour: 'blue' }],
  ['a field of an object', { ...right, size: { width: 30, height: 'low', length: 40 } }],
  ['several faults', { PupUid: '', size: [], neededBy: 'soon' }],
]

describe.each(wrong)('%s', (_, request) => {
  test.each(Object.entries(starts))('is refused by %s as by the plan, before Temporal is called', async (_, start) => {
    const { type: code, message } = planned(repairShop, request) as { type: string; message: string }
    expect(code).toBe('InvalidFlowInput')
    expect(await start({ caseNo, request: request as Input['request'] })).toEqual({ kind: 'Refused', code, message })
  })
})

describe('the client and the plan accept', () => {
  const text = { ...repairShop, input: { ...repairShop.input, note: { optional: 'text' } } } as const
  const without: FlowDeclaration = {
    name: 'withoutInput',
    summary: 'A person approves.',
    steps: [{ name: 'check', summary: 'A person approves.', ask: { approve: {} }, who: 'staff', window: null }],
  }

  test.each<[string, FlowDeclaration, object]>([
    ['a right request', repairShop, right],
    ['a moment that becomes a text', repairShop, { ...right, neededBy: new Date() }],
    ['an undefined field', repairShop, { ...right, colour: undefined }],
    ['an optional field', text, { ...right, note: null }],
    ['no field of a flow without input', without, {}],
  ])('%s', (_, flow, request) => {
    expect(planned(flow, request)).toBeUndefined()
    expect(findInvalidInput(flow, { caseNo: 'C-1', request })).toBeUndefined()
  })
})

test('a request of an operation, and an input that is not a request, are left to the worker', () => {
  expect(planned(builtIn.issue, {})).toMatchObject({ type: 'InvalidFlowInput' })
  expect(findInvalidInput(builtIn.issue, { caseNo: 'C-1', request: {} })).toBeUndefined()
  for (const request of [undefined, null, 'text', []]) {
    expect(planned(repairShop, request)).toMatchObject({ type: 'InvalidFlowInput' })
    expect(findInvalidInput(repairShop, { caseNo: 'C-1', request })).toBeUndefined()
  }
})

describe('an input of more than four megabytes, which Temporal takes no call with, is refused at once', () => {
  const text = 'x'.repeat(5_000_000)
  const all = createFlowClient(away)
  const large: Readonly<Record<string, () => Promise<unknown>>> = {
    'request of start': () => all.start('stock', { caseNo, request: { text } as never }),
    'request of startAndWaitForBooking': () =>
      all.startAndWaitForBooking('stock', { caseNo, request: { text } as never }),
    'request of startAndWaitForEnd': () =>
      all.startAndWaitForEnd('onboardAccount', { caseNo, request: { text } as never }),
    'windows of start': () => all.start('stock', { caseNo, request: {} as never, windows: { [text]: '1h' } as never }),
    'caseNo of start': () => all.start('stock', { caseNo: text, request: {} as never }),
  }

  test.each(Object.entries(large))('%s', async (name, start) => {
    const [field] = name.split(' ')
    expect(await start()).toEqual({
      kind: 'Refused',
      code: 'InvalidFlowInput',
      message: expect.stringMatching(new RegExp(`^${field}: must have at most 262144 bytes, got 50000\\d\\d\\. See `)),
    })
  })
})

test('a request that the plan refuses for its size is refused in the same words', async () => {
  const request = { ...right, note: 'é'.repeat(128 * 1_024) }
  const flow = { ...repairShop, input: { ...repairShop.input, note: 'text' } } as const
  const { type: code, message } = planned(flow, request) as { type: string; message: string }
  const answer = findInvalidInput(flow, { caseNo, request })
  expect(answer).toEqual({ kind: 'Refused', code, message })
})

test('a request that is not JSON is left to the data converter', async () => {
  const request = { ...right, size: 10n } as never
  await expect(flows.start('repairShop', { caseNo, request })).rejects.toMatchObject({ code: 'DataNotConverted' })
})
