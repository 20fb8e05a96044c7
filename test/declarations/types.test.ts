import { expect, test } from 'vitest'
import { type ActivitiesFor, type Checked, checkFlows, defineFlow } from '#declarations'
import type { flows } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'

const common = { name: 'shop', summary: 'A device is repaired.' } as const
const booking = { name: 'booking', summary: 'A locker is booked.', book: 'CreateLocalShipmentAsIntake' } as const
const bringIn = {
  name: 'bringIn',
  summary: 'The customer brings the device.',
  wait: { intake: 'ReadyForPickup' },
  window: '7d',
  onTimeout: 'cancel',
} as const
const fetch = {
  name: 'fetch',
  summary: 'The shop fetches the device.',
  wait: { intake: 'Completed' },
  window: '16h',
  onTimeout: 'remind',
} as const
const label = {
  name: 'label',
  summary: 'The label is printed.',
  run: 'printLabel',
  with: { device: { from: 'intake.shipmentUid' }, copies: 2 },
  keep: { labelNo: 'text', pages: 'integer' },
  undo: 'nothing',
  timeout: '30s',
} as const
const account = {
  name: 'account',
  summary: 'The account is read.',
  call: 'SetAccountPickUpPoint',
  request: { userUid: { from: 'input.FromUserUid' }, pickUpPointUid: { from: 'input.PupUid' } },
} as const

const shop = defineFlow({
  ...common,
  steps: [booking, bringIn, fetch, label, account],
  outputs: { label: 'label.labelNo' },
})

/** Every form of an output. */
const conditional = defineFlow({
  ...common,
  steps: [booking, bringIn, fetch, label, { ...account, keep: ['pupUid'] }],
  outputs: {
    label: 'label',
    pup: { first: ['account.pupUid', 'input.PupUid'] },
    no: { from: 'label.labelNo', when: { 'label.pages': 1 } },
  },
})

test('a flow that compiles has no fault', () => {
  expect(checkFlows([shop, { ...conditional, name: 'conditional' }])).toEqual([])
})

/** The built-in flows pass the same check of the compiler. */
type Passes<Flows> = { [Name in keyof Flows]: Flows[Name] extends Checked<Flows[Name]> ? true : Name }
const passing: { [Name in keyof typeof flows]: true } = {} as Passes<typeof flows>
void passing

/** Each mistake is an error of the compiler at its leaf, and a fault of the check. */
const mistakes: [what: string, code: string, flow: () => FlowDeclaration][] = [
  [
    'an operation',
    'UnknownOperation',
    // @ts-expect-error
    () => defineFlow({ ...common, steps: [{ ...booking, book: 'CreateIntake' }, bringIn, fetch] }),
  ],
  [
    'an operation that books',
    'UnknownOperation',
    // @ts-expect-error
    () => defineFlow({ ...common, steps: [booking, bringIn, fetch, { ...account, call: 'CreateLocalShipment' }] }),
  ],
  [
    'a role',
    'UnknownRole',
    // @ts-expect-error
    () => defineFlow({ ...common, steps: [booking, { ...bringIn, wait: { issue: 'ReadyForPickup' } }, fetch] }),
  ],
  [
    'a state',
    'InvalidValue',
    // @ts-expect-error
    () => defineFlow({ ...common, steps: [booking, { ...bringIn, wait: { intake: 'Ready' } }, fetch] }),
  ],
  [
    'a source',
    'UnknownPath',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, fetch, { ...label, with: { device: { from: 'intake.uid' } } }],
      }),
  ],
  [
    'the type of a source',
    'SourceType',
    () =>
      defineFlow({
        ...common,
        steps: [
          booking,
          bringIn,
          fetch,
          label,
          // @ts-expect-error
          { ...account, request: { userUid: { from: 'label.pages' }, pickUpPointUid: { from: 'input.PupUid' } } },
        ],
      }),
  ],
  [
    'a field of a request',
    'UnknownField',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, fetch, { ...account, request: { ...account.request, user: 'user-1' } }],
      }),
  ],
  [
    'a request that lacks a field',
    'MissingField',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, fetch, { ...account, request: { userUid: { from: 'input.FromUserUid' } } }],
      }),
  ],
  [
    'an output',
    'UnknownPath',
    // @ts-expect-error
    () => defineFlow({ ...common, steps: [booking, bringIn, fetch, label], outputs: { no: 'label.labelNumber' } }),
  ],
  [
    'a step',
    'UnknownStep',
    // @ts-expect-error
    () => defineFlow({ ...common, steps: [booking, { ...bringIn, onTimeout: { goTo: 'fetched' } }, fetch] }),
  ],
  [
    'a condition',
    'UnknownPath',
    // @ts-expect-error
    () => defineFlow({ ...common, steps: [booking, bringIn, { ...fetch, when: { 'input.Pup': 'pup-1' } }] }),
  ],
]

test.each(mistakes)('%s that is wrong is an error of the compiler and a fault of the check', (_, code, flow) => {
  expect(checkFlows([flow()]).map(fault => fault.code)).toEqual([code])
})

test('activities have the types of their steps', () => {
  const activities: ActivitiesFor<typeof shop> = {
    printLabel: async ({ device, copies }: { device: string; copies: 2 }) => ({ labelNo: device, pages: copies }),
  }
  const wrongResult: ActivitiesFor<typeof shop> = {
    // @ts-expect-error the result has no pages
    printLabel: async () => ({ labelNo: 'L-1' }),
  }
  const wrongInput: ActivitiesFor<typeof shop> = {
    // @ts-expect-error the device is a text
    printLabel: async ({ device }: { device: number }) => ({ labelNo: `L-${device}`, pages: 1 }),
  }
  expect([activities, wrongResult, wrongInput].map(Object.keys)).toEqual(Array(3).fill(['printLabel']))
})
