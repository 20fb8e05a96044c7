import { describe, expect, test } from 'vitest'
import { fingerprint } from '#contract'
import { fullProfile, withReference } from '#contract/terms'
import { type FlowDeclaration, type FlowPlan, toStarterView, toWorkflowId } from '#flows'
import type { Source, Step, StepRetryPolicy } from '#flows/declaration'
import { planFlow } from '../../../activities/plan/index.ts'

const summary = 'A step.'
const size = { value: { Length: 30, Width: 20, Height: 10 } } as const
const lockers = { AllowLargerLockers: true, AllowOverflowLockers: false, Dimension: size } as const

const bringIn: Step = {
  name: 'bringIn',
  summary,
  book: 'CreateLocalShipmentAsIntake',
  request: { PupUid: { from: 'input.shop' }, FromUserUid: { from: 'input.customer' }, ...lockers },
}
const fetched: Step = { name: 'fetched', summary, wait: { intake: 'Completed' }, window: '7d', onTimeout: 'remind' }
const quote: Step = {
  name: 'quote',
  summary,
  who: 'staff',
  ask: { priced: { cents: 'integer' }, hopeless: { why: 'text' } },
  window: { at: 'input.neededBy', before: '2d' },
  onTimeout: { goTo: 'handOver' },
}
const handOver: Step = {
  name: 'handOver',
  summary,
  book: 'CreateLocalShipmentAsIssue',
  as: { issue: 'back' },
  request: { PupUid: { from: 'input.shop' }, ToUserUid: { from: 'input.customer' }, ...lockers },
}
const fetchedBack: Step = { name: 'fetchedBack', summary, wait: { back: 'Completed' }, window: null }

const repair: FlowDeclaration = {
  name: 'repair',
  summary,
  input: {
    shop: 'uid',
    customer: 'uid',
    neededBy: 'instant',
    express: { optional: 'boolean' },
    note: { optional: 'text' },
  },
  steps: [bringIn, fetched, quote, handOver, fetchedBack],
}

const request = { shop: 'pup-1', customer: 'u-1', neededBy: '2030-01-10T12:00:00Z' }
const pollInterval = { initial: 60_000, maximum: 3_600_000 }

interface Given {
  readonly request?: Record<string, unknown>
  readonly windows?: Record<string, string>
  readonly declaration?: string
  readonly profile?: typeof fullProfile
}

function plan(flow: FlowDeclaration, { profile = fullProfile, ...given }: Given = {}): FlowPlan {
  const input = { caseNo: 'R-1', request, ...given } as never
  return planFlow(
    { profile, pollInterval, flows: { [flow.name]: flow } },
    { flow: flow.name, workflowId: toWorkflowId('R-1'), input },
  )
}

function withSteps(...steps: Step[]): FlowDeclaration {
  return { ...repair, steps }
}

function stepOf(flow: FlowDeclaration, name: string, given?: Given) {
  return plan(flow, given).steps.find(step => step.name === name)
}

test('a request that reads the input only is resolved, checked, and has the case number', () => {
  expect(stepOf(repair, 'handOver')).toMatchObject({
    kind: 'book',
    operation: 'CreateLocalShipmentAsIssue',
    request: { value: { PupUid: 'pup-1', ToUserUid: 'u-1', Details: { ReferenceCaseNo: 'R-1' } } },
    roles: [{ name: 'back', initialState: 'ReadyForDropOff', existing: false, link: null }],
    window: 3_600_000,
  })
  const wrong: Step = { ...handOver, request: { PupUid: { from: 'input.shop' }, ...lockers, ToUserUid: 1 } }
  expect(() => plan(withSteps(bringIn, wrong))).toThrow(/^request: ToUserUid/)
})

test('a request that reads an output stays a source', () => {
  const source = { PupUid: { from: 'input.shop' }, ToUserUid: { from: 'quote.who' }, ...lockers } as const
  const flow = withSteps(bringIn, quote, { ...handOver, request: source })
  expect(stepOf(flow, 'handOver')).toMatchObject({ request: source })
  expect(plan(flow).input).toEqual({ shop: 'pup-1' })
})

test.each(['u\0', '\u001b[8m', '\ud800'])(
  'the search attributes have no uid that a store of Temporal could not keep: %j',
  customer => {
    const fields = { PupUid: 'uid', ToUserUid: 'uid' } as const
    const own: FlowDeclaration = { ...repair, input: { ...repair.input, ...fields } }
    const given = { ...request, PupUid: 'pup-1', ToUserUid: customer }
    expect(plan(own, { request: given })).toMatchObject({ pickUpPoint: 'pup-1', user: 'u-1' })
    expect(plan(own, { request: { ...given, ToUserUid: 'u-2' } })).toMatchObject({ user: 'u-2' })
  },
)

describe('clean-up may cancel an empty locker while another shipment waits for its receiver', () => {
  const parts = { PupUid: { from: 'input.shop' }, FromUserUid: { from: 'input.customer' }, ...lockers } as const
  const described = { Description: { from: 'quote.why' } } as const
  const requests: Record<string, Source> = {
    'in the casing of the contract': { ...parts, ...described, IsReceiverDelayed: true },
    'in another casing': { ...parts, ...described, isReceiverDelayed: true },
    'merged from literals': { merge: [{ ...parts, IsReceiverDelayed: true }, described] },
    'merged from the input': { merge: [{ from: 'input.parcel' }, described] },
  }

  function planReceiver(source: Source) {
    const book: Step = { name: 'book', summary, book: 'CreateLocalShipment', request: source }
    const brought: Step = { name: 'brought', summary, wait: { shipment: 'WaitForReceiver' }, window: null }
    const receiver: Step = { name: 'receiver', summary, wait: { shipment: 'ReadyForPickup' }, window: null }
    const asked: Step = { ...quote, onTimeout: 'cancel' }
    const flow = withSteps(asked, book, brought, handOver, receiver, fetchedBack)
    const parcel = { fields: { PupUid: 'uid', IsReceiverDelayed: 'boolean' } } as const
    const given = { ...request, parcel: { PupUid: 'pup-1', IsReceiverDelayed: true } }
    const withParcel = { ...flow, input: { ...repair.input, parcel } }
    return { mayCancel: [], ...stepOf(withParcel, 'receiver', { request: given }) }
  }

  test.each(Object.entries(requests))('with a request %s', (_, source) => {
    expect(planReceiver(source)).toMatchObject({ mayCancel: ['back'] })
  })

  test('but not with a part of a merge that hides the delay', () => {
    const hidden = { merge: [{ ...parts, IsReceiverDelayed: true }, described, { IsReceiverDelayed: false }] }
    expect(planReceiver(hidden)).toMatchObject({ mayCancel: [] })
  })
})

test('the policies of refusals lead to the planned steps', () => {
  const onError = { NoLockerAvailable: { goTo: 'fetched' }, InvalidUserUid: 'continue' } as const
  const left: Step = { ...quote, name: 'left', when: { 'input.express': true } }
  const flow = withSteps({ ...bringIn, onError: { ...onError, AccessDenied: { goTo: 'left' } } } as Step, left, fetched)
  expect(stepOf(flow, 'bringIn')).toMatchObject({ onError: { ...onError, AccessDenied: { goTo: 'fetched' } } })
})

describe('clean-up may cancel a shipment that the flow no longer waits for', () => {
  const closing: Step = { ...quote, name: 'closing', onTimeout: 'cancel' }

  test.each<[string, Step, readonly string[] | undefined]>([
    ['not after a wait', fetched, undefined],
    ['after a window that leads to a later step', { ...fetched, onTimeout: { goTo: 'closing' } } as Step, ['intake']],
    [
      'after a window, whether its item has come in or not',
      { ...fetched, wait: { intake: 'ReadyForPickup' }, onTimeout: { goTo: 'closing' } } as Step,
      ['intake'],
    ],
    ['after a wait that an answer can leave out', { ...fetched, when: { 'quote.cents': 1 } } as Step, ['intake']],
  ])('%s', (_, wait, mayCancel) => {
    const planned = stepOf(withSteps(quote, bringIn, wait, closing), 'closing')
    expect({ mayCancel: undefined, ...planned }).toMatchObject({ cancels: [], mayCancel })
  })

  test('while one of two has arrived and the other delays the step', () => {
    const arrived = { intake: 'ReadyForPickup', back: 'ReadyForPickup' } as const
    const both: Step = { name: 'both', summary, wait: arrived, window: null }
    const planned = stepOf(withSteps(bringIn, handOver, both), 'both')
    expect(planned).toMatchObject({ cancels: [], mayCancel: ['intake', 'back'] })
  })
})

test.each<[NonNullable<Extract<Step, { wait: unknown }>['window']>, object]>([
  [{ workingTime: '8h' }, { calendar: { workingTime: 8 * 3_600_000 } }],
  [{ next: '09:00' }, { calendar: { next: '09:00' } }],
  [{ next: '09:00', workingDay: true }, { calendar: { next: '09:00', workingDay: true } }],
  [
    { workingTime: '8h', from: 'input.neededBy' },
    { calendar: { workingTime: 8 * 3_600_000 }, from: Date.parse(request.neededBy) },
  ],
  [
    { workingTime: '8h', from: 'quote.at' },
    { calendar: { workingTime: 8 * 3_600_000 }, from: 'quote.at' },
  ],
])('a window %j by a calendar is planned as %j', (window, planned) => {
  const wait: Step = { ...fetched, window } as Step
  expect(stepOf(withSteps(quote, bringIn, wait), 'fetched')).toHaveProperty('window', planned)
})

describe('a step that cancels a shipment ends those that follow it', () => {
  const cancel = (role: string): Step => ({
    name: 'cancel',
    summary,
    call: 'CancelShipment',
    request: { shipmentUid: { from: `${role}.shipmentUid` } },
  })
  const swap: Step = {
    ...handOver,
    name: 'swap',
    book: 'CreateLocalShipmentAsIssueAndSwapIntake',
    as: { issue: 'new', intake: 'old' },
  }
  const stock: Step = {
    name: 'stock',
    summary,
    book: 'CreateLocalShipmentAsStock',
    as: { stock: 'item' },
    request: { PupUid: { from: 'input.shop' }, ...lockers },
  }
  const lend: Step = {
    name: 'lend',
    summary,
    book: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
    as: { issue: 'loan', intake: 'return', stock: 'again' },
    request: { PriorShipmentUid: { from: 'item.shipmentUid' }, ToUserUid: { from: 'input.customer' } },
  }

  test.each<[string, readonly Step[], readonly string[] | undefined]>([
    ['new', [swap], ['old']],
    ['old', [swap], undefined],
    ['item', [stock, lend], ['return', 'again']],
    ['return', [stock, lend], ['again']],
    ['item', [stock], undefined],
  ])('%s', (role, steps, ends) => {
    expect({ ends: undefined, ...stepOf(withSteps(...steps, cancel(role)), 'cancel') }).toMatchObject({ ends })
  })
})

describe('the input', () => {
  test('that many steps send has to fit the plan', () => {
    const note = 'x'.repeat(250 * 1_024)
    const send = (name: string): Step => ({
      ...{
        name,
        summary,
        run: 'send',
        with: { note: { from: 'input.note' } },
        keep: {},
        undo: 'nothing',
        timeout: '30s',
      },
    })
    const few = withSteps(bringIn, ...['a', 'b'].map(send))
    expect(() => plan(few, { request: { ...request, note } })).not.toThrow()
    const asText = { value: note }
    const copies = ['a', 'b', 'c', 'd', 'e'].map(name => ({ ...send(name), with: { note: asText } }) as Step)
    expect(() => plan(withSteps(bringIn, ...copies))).toThrow(
      /^request: must have at most 1048576 bytes in all its places in the plan of the flow, got \d+/,
    )
  })

  test.each([
    [{ ...request, shop: 1 }, 'request.shop: must be a uid of 1 to 64 characters, got 1.'],
    [{ ...request, tpyo: 1 }, 'request.tpyo: must be one of the fields shop, customer, neededBy, express, note.'],
    [{ ...request, neededBy: 'soon' }, 'request.neededBy: must be a time such as "2026-11-21T08:00:00Z", got a text.'],
  ])('%j is refused', (request, message) => {
    const type = 'InvalidFlowInput'
    expect(() => plan(repair, { request })).toThrow(
      expect.objectContaining({ type, nonRetryable: true, message: withReference(type, message) }),
    )
  })

  test('stays in the plan only as far as later steps and outputs read it', () => {
    expect(plan(repair).input).toEqual({})
    const run: Step = {
      ...{ name: 'label', summary, run: 'printLabel', with: { note: { from: 'input.note' } } },
      ...{ keep: {}, undo: 'nothing', timeout: '30s' },
    }
    const flow = { ...withSteps(bringIn, run, fetched), outputs: { customer: 'input.customer' } }
    expect(plan(flow, { request: { ...request, note: 'Ring twice.' } }).input).toEqual({
      customer: 'u-1',
      note: 'Ring twice.',
    })
  })
})

describe('steps', () => {
  const express = { ...quote, when: { 'input.express': true } }
  const names = (flow: FlowDeclaration, given?: Given) => plan(flow, given).steps.map(({ name }) => name)

  test('whose condition the input does not fulfil are left out', () => {
    const flow = withSteps(bringIn, express, handOver)
    expect(names(flow)).toEqual(['bringIn', 'handOver'])
    expect(names(flow, { request: { ...request, express: true } })).toEqual(['bringIn', 'quote', 'handOver'])
  })

  test('keep the part of their condition that the input does not decide', () => {
    const flow = withSteps(bringIn, quote, { ...handOver, when: { 'input.express': false, 'quote.answer': 'priced' } })
    expect(stepOf(flow, 'handOver')).toMatchObject({ when: { 'quote.answer': 'priced' } })
    expect(stepOf(flow, 'bringIn')).not.toHaveProperty('when')
  })

  test('lead to the next step that is there, or to the end', () => {
    const optional = { ...handOver, when: { 'input.express': true } }
    expect(stepOf(withSteps(bringIn, quote, optional, fetched), 'quote')).toMatchObject({
      onTimeout: { goTo: 'fetched' },
    })
    expect(stepOf(withSteps(bringIn, quote, optional), 'quote')).toMatchObject({ onTimeout: { goTo: 'end' } })
    expect(stepOf(repair, 'quote')).toMatchObject({ onTimeout: { goTo: 'handOver' } })
  })
})

describe('windows', () => {
  test('are those of the start, by step', () => {
    const windows = { bringIn: '2h', fetched: '1h', quote: '30m' }
    expect(plan(repair, { windows }).steps).toMatchObject([
      { window: 7_200_000 },
      { window: { length: 3_600_000 } },
      { window: { length: 1_800_000 } },
      { window: 3_600_000 },
      { window: null },
    ])
  })

  test.each([
    [{ handOver: '13h' }, 'windows.handOver: must be at most 12h, since services forget idempotency keys after a day.'],
    [{ fetchedBack: '1h' }, 'windows: must only name bringIn, fetched, quote, handOver, got fetchedBack.'],
  ])('%j are refused', (windows, message) => {
    expect(() => plan(repair, { windows })).toThrow(withReference('InvalidFlowInput', message))
  })

  test('that end at a moment of the input are resolved, and others are not', () => {
    expect(stepOf(repair, 'quote')).toMatchObject({ window: { moment: Date.UTC(2030, 0, 8, 12) } })
    const until: Step = { name: 'pause', summary, sleep: { until: { at: 'quote.ready', after: '1h' } } }
    expect(stepOf(withSteps(bringIn, quote, until), 'pause')).toMatchObject({
      until: { at: 'quote.ready', offset: 3_600_000 },
    })
    const optional = { ...repair, input: { ...repair.input, neededBy: { optional: 'instant' } } } as FlowDeclaration
    expect(() => plan(optional, { request: { ...request, neededBy: null } })).toThrow(
      'request.neededBy: must be a moment or a date, since the step quote ends by it.',
    )
  })
})

test('a run has its time limits in milliseconds', () => {
  const run = {
    name: 'label',
    summary,
    run: 'printLabel',
    with: {},
    keep: {},
    undo: 'nothing',
    timeout: '30s',
  } as const
  expect(stepOf(withSteps(bringIn, run), 'label')).toMatchObject({
    timeout: 30_000,
    window: 3_630_000,
    retry: { initialInterval: 250, maximumInterval: 30_000, backoffCoefficient: 2 },
  })
  const once = { ...run, retry: 'once', window: '2m', heartbeat: '10s', taskQueue: 'labels' } as const
  expect(stepOf(withSteps(bringIn, once), 'label')).toMatchObject({
    window: 120_000,
    heartbeat: 10_000,
    taskQueue: 'labels',
    retry: { maximumAttempts: 1 },
  })
})

test('a run whose first pause is longer than the usual longest one has no shorter one', () => {
  const common = {
    name: 'label',
    summary,
    run: 'printLabel',
    with: {},
    keep: {},
    undo: 'nothing',
    timeout: '30s',
  } as const
  const retry = (policy: StepRetryPolicy) => stepOf(withSteps(bringIn, { ...common, retry: policy }), 'label')
  // The SDK refuses a maximum below the initial interval, in the workflow task.
  expect(retry({ initialInterval: '1m' })).toMatchObject({
    retry: { initialInterval: 60_000, maximumInterval: 60_000 },
  })
  expect(retry({ initialInterval: '1m', maximumInterval: '1s' })).toMatchObject({ retry: { maximumInterval: 60_000 } })
})

describe('what can be cancelled', () => {
  const cancels = (flow: FlowDeclaration) =>
    Object.fromEntries(plan(flow).steps.map(({ name, cancels }) => [name, cancels]))

  test('is computed over all bookings, in steps of every kind', () => {
    const broughtIn: Step = { ...fetched, name: 'broughtIn', wait: { intake: 'ReadyForPickup' } }
    expect(cancels(withSteps(bringIn, broughtIn, fetched, quote, handOver, fetchedBack))).toEqual({
      bringIn: [],
      broughtIn: ['intake'],
      // The item is inside.
      fetched: [],
      quote: [],
      handOver: [],
      // The item can be inside before the customer fetches it.
      fetchedBack: [],
    })
  })

  test('is not what can have been dropped off while a person is asked', () => {
    const putBack: Step = { ...fetchedBack, name: 'putBack', wait: { back: 'ReadyForPickup' } }
    expect(cancels(withSteps(bringIn, quote, handOver, putBack))).toEqual({
      bringIn: [],
      quote: [],
      handOver: [],
      putBack: ['back'],
    })
  })

  test('includes what an earlier step has booked under another role', () => {
    const stock: Step = {
      ...bringIn,
      name: 'stocked',
      book: 'CreateLocalShipmentAsStock',
      request: { ...lockers, PupUid: 'pup-1' },
    }
    const issue: Step = {
      ...{ name: 'issued', summary, book: 'CreateLocalShipmentAsIssueFromStock' },
      request: { ToUserUid: { from: 'input.customer' }, PriorShipmentUid: { from: 'stock.shipmentUid' } },
    }
    const ready: Step = { ...fetched, name: 'ready', wait: { issue: 'ReadyForPickup' } }
    const taken: Step = { ...fetched, name: 'taken', wait: { issue: 'Completed' } }
    expect(cancels(withSteps(stock, issue, ready, taken))).toEqual({
      stocked: [],
      issued: [],
      ready: ['stock'],
      taken: [],
    })
  })

  test('depends on the steps that a timeout leaves out', () => {
    const broughtIn: Step = {
      ...{ name: 'broughtIn', summary, wait: { intake: 'ReadyForPickup' }, window: '1d' },
      onTimeout: { goTo: 'quote' },
    }
    const asked = cancels(withSteps(bringIn, broughtIn, fetched, quote))
    expect(asked).toMatchObject({ broughtIn: ['intake'], fetched: [], quote: [] })
  })
})

test('two bookings by one operation need a service with idempotency keys', () => {
  const again: Step = { ...handOver, name: 'again', as: { issue: 'second' } }
  const flow = withSteps(bringIn, handOver, again)
  expect(plan(flow).steps).toHaveLength(3)
  expect(() => plan(flow, { profile: { ...fullProfile, idempotent: false } })).toThrow(
    expect.objectContaining({ type: 'AmbiguousBooking', nonRetryable: true }),
  )
})

test('bookings in two branches need one too, whatever their operations', () => {
  const stocked: Step = {
    ...{ name: 'stocked', summary, book: 'CreateLocalShipmentAsStock' },
    request: { PupUid: { from: 'input.shop' }, ...lockers },
  }
  const both = { name: 'both', summary, parallel: [bringIn, stocked].map(step => ({ name: step.name, steps: [step] })) }
  const oneOf = {
    name: 'oneOf',
    summary,
    switch: [{ when: { 'input.express': true }, steps: [bringIn] }, { steps: [stocked] }],
  }
  const withoutKeys = { profile: { ...fullProfile, idempotent: false } }
  expect(() => plan(withSteps(both as Step), withoutKeys)).toThrow(
    expect.objectContaining({ type: 'AmbiguousBooking' }),
  )
  expect(plan(withSteps(oneOf as Step), withoutKeys).flow).toBe('repair')
})

describe('a client with', () => {
  test('the same declaration may start the flow', () => {
    expect(plan(repair, { declaration: fingerprint(toStarterView(repair)) }).flow).toBe('repair')
  })

  const { input: _, ...withoutInput } = repair

  test('other windows, texts, conditions and steps may start the flow', () => {
    const late: Step = { ...fetched, window: '8d', when: { 'input.express': false } }
    const other = { ...withSteps(bringIn, late, { ...quote, window: '1d', who: 'shop' }), summary: 'Another text.' }
    expect(plan(repair, { declaration: fingerprint(toStarterView(other)) }).flow).toBe('repair')
  })

  test.each<[string, FlowDeclaration]>([
    ['another type of an input field', { ...repair, input: { ...repair.input, neededBy: 'date' } }],
    ['one more field of the input', { ...repair, input: { ...repair.input, urgent: 'boolean' } }],
    ['a field of the input that may be absent', { ...repair, input: { ...repair.input, shop: { optional: 'uid' } } }],
    ['the request of an operation as the input', withoutInput],
    ['another answer', withSteps(bringIn, { ...quote, ask: { priced: { cents: 'integer' } } })],
    [
      'another type of a field of an answer',
      withSteps(bringIn, { ...quote, ask: { priced: { cents: 'number' }, hopeless: { why: 'text' } } }),
    ],
    ['another name of the step that asks', withSteps(bringIn, { ...quote, name: 'price' })],
  ])('%s is refused', (_, flow) => {
    expect(() => plan(repair, { declaration: fingerprint(toStarterView(flow)) })).toThrow(
      expect.objectContaining({ type: 'FlowDiffers', nonRetryable: true }),
    )
  })

  test('another declaration is refused, with the fields and answers of the worker', () => {
    const message =
      "declaration: must be the worker's, with the same types of fields: its repair has the input shop, customer, neededBy, express, note, and the answers quote: priced, hopeless."
    expect(() => plan(repair, { declaration: 'other' })).toThrow(
      expect.objectContaining({ type: 'FlowDiffers', message: withReference('FlowDiffers', message) }),
    )
  })
})
