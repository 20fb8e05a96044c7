import { expect, test } from 'vitest'
import type { flows } from '#flows'
import { type ActivitiesFor, type Checked, checkFlows, defineFlow } from '#flows/check'
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

const quote = {
  name: 'quote',
  summary: 'The shop says what it costs.',
  ask: { priced: { cents: 'integer', until: 'instant' }, hopeless: { why: 'text' } },
  who: 'staff',
  window: '3d',
  onTimeout: 'cancel',
} as const
const back = {
  name: 'back',
  summary: 'A locker for the way back is booked.',
  book: 'CreateLocalShipmentAsIssue',
  as: { issue: 'back' },
  request: {
    PupUid: { from: 'input.PupUid' },
    ToUserUid: { from: 'input.FromUserUid' },
    Dimension: { from: 'input.Dimension' },
    AllowLargerLockers: { from: 'input.AllowLargerLockers' },
    AllowOverflowLockers: { from: 'input.AllowOverflowLockers' },
  },
} as const
const collect = {
  name: 'collect',
  summary: 'The customer collects the device.',
  wait: { back: 'Completed' },
  window: '7d',
  onTimeout: 'remind',
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

/** A second booking, and a step that a person answers. */
const asking = defineFlow({
  ...common,
  name: 'asking',
  steps: [booking, bringIn, fetch, quote, { ...label, with: { cents: { from: 'quote.cents', or: 0 } } }, back, collect],
  outputs: { answer: 'quote.answer' },
})

/** Calls on a shipment of the flow: the flow fills in the case number. */
const calling = defineFlow({
  ...common,
  name: 'calling',
  steps: [
    booking,
    bringIn,
    {
      name: 'attach',
      summary: 'A part is attached.',
      call: 'AddShipmentObject',
      request: { shipmentUid: { from: 'intake.shipmentUid' }, details: { description: 'A charger' } },
    },
    {
      name: 'describe',
      summary: 'The device is described.',
      call: 'SetShipmentDetails',
      request: { shipmentUid: { from: 'intake.shipmentUid' }, Description: null, ReferenceNo: 'R-1' },
    },
    fetch,
  ],
  outputs: { part: 'attach.shipmentObjectUid' },
})

const inPlaceInput = { PupUid: 'uid', mechanicUid: 'uid', orderNo: 'text', note: { optional: 'text' } } as const
const inPlaceBooking = {
  name: 'booking',
  summary: 'A locker is booked.',
  book: 'CreateLocalShipmentAsIssueAndSwapIntake',
  request: {
    PupUid: { from: 'input.PupUid' },
    ToUserUid: { from: 'input.mechanicUid' },
    Dimension: { width: 20, height: 10, length: 30 },
    AllowLargerLockers: true,
    AllowOverflowLockers: false,
    Details: { ReferenceNo: { from: 'input.orderNo' }, Description: { from: 'input.note' } },
    Return: { Description: 'The defective part', ReferenceNo: null },
  },
} as const
const exchange = {
  name: 'exchange',
  summary: 'The mechanic exchanges the parts.',
  wait: { issue: 'Completed', intake: 'Completed' },
  window: { workingTime: '16h' },
  onTimeout: 'ask',
} as const

/** The optional objects of a request. */
const inPlace = defineFlow({
  name: 'inPlace',
  summary: 'A part is exchanged.',
  input: inPlaceInput,
  steps: [inPlaceBooking, exchange],
})

/** Every form of a condition, and a request of several parts. */
const comparing = defineFlow({
  ...common,
  name: 'comparing',
  steps: [
    booking,
    bringIn,
    fetch,
    quote,
    { ...label, when: { any: [{ 'quote.answer': { in: ['priced'] } }, { not: { 'input.LockerUid': null } }] } },
    {
      ...account,
      request: { merge: [{ userUid: { from: 'input.FromUserUid' } }, { pickUpPointUid: 'pup-1' }] },
      when: {
        all: [{ 'quote.cents': { lessThan: 9_000 } }, { 'input.PupUid': { not: { from: 'input.FromUserUid' } } }],
      },
    },
    { ...back, when: { 'input.AllowLargerLockers': { present: true } } },
    { ...collect, when: { 'input.AllowLargerLockers': { present: true } } },
  ],
})

const readAccount = {
  name: 'owner',
  summary: 'The account is found.',
  call: 'CreateOrGetAccount',
  request: {
    emailAddress: { from: 'input.emailAddress' },
    firstName: 'A',
    lastName: 'B',
    pickUpPointUid: { from: 'input.PupUid' },
    languageCode: 'en',
  },
} as const

/** Every way to give a value that may be absent, or null, to a field that must be given. */
const substituting = defineFlow({
  ...common,
  name: 'substituting',
  input: { ...inPlaceInput, emailAddress: 'text', pupUid: { optional: 'uid' }, from: { optional: 'instant' } },
  steps: [
    inPlaceBooking,
    exchange,
    readAccount,
    {
      ...account,
      when: { 'owner.canManageUser': true },
      request: { userUid: { from: 'owner.userUid' }, pickUpPointUid: { from: 'input.pupUid', or: 'pup-1' } },
    },
    {
      ...account,
      name: 'second',
      when: { all: [{ 'owner.canManageUser': { is: true } }, { 'input.pupUid': { in: ['pup-1', 'pup-2'] } }] },
      request: { userUid: { from: 'owner.userUid' }, pickUpPointUid: { from: 'input.pupUid' } },
    },
    {
      name: 'pause',
      summary: 'The shop waits.',
      when: { 'input.from': { lessThan: '2030-01-01T00:00:00Z' } },
      sleep: { until: { at: 'input.from' } },
    },
  ],
})

/** Without `as const`, its steps are a list of objects that have the fields of the others as undefined. */
const listed = {
  ...common,
  name: 'listed',
  steps: [
    { name: 'booking', summary: 'A locker is booked.', book: 'CreateLocalShipmentAsStock' },
    { name: 'item', summary: 'The item comes.', wait: { stock: 'WaitForReceiver' }, window: '2d', onTimeout: 'remind' },
  ],
} satisfies FlowDeclaration

test('a flow that compiles has no fault', () => {
  expect(
    checkFlows([
      defineFlow(listed),
      shop,
      { ...conditional, name: 'conditional' },
      asking,
      calling,
      inPlace,
      comparing,
      substituting,
    ]),
  ).toEqual([])
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
    'an operation that needs a file',
    'UnknownOperation',
    // @ts-expect-error
    () => defineFlow({ ...common, steps: [booking, bringIn, fetch, { ...account, call: 'UploadAccountSuggestions' }] }),
  ],
  [
    'an access code',
    'UnknownPath',
    () =>
      defineFlow({
        ...common,
        steps: [
          booking,
          bringIn,
          {
            name: 'codes',
            summary: 'The codes are read.',
            call: 'GetShipmentAccessCode',
            request: { shipmentUid: { from: 'intake.shipmentUid' } },
          },
          // @ts-expect-error
          { ...label, with: { code: { from: 'codes.pickUpCode' } } },
          fetch,
        ],
      }),
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
    'a field of an optional object of a request',
    'UnknownField',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, fetch, { ...back, request: { ...back.request, Details: { Note: 'x' } } }, collect],
      }),
  ],
  [
    'the type of a field of an optional object of a request',
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
          { ...back, request: { ...back.request, Details: { ReferenceNo: { from: 'label.pages' } } } },
          collect,
        ],
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
  [
    'an operation of a second booking',
    'UnknownOperation',
    // @ts-expect-error
    () => defineFlow({ ...common, steps: [booking, bringIn, fetch, { ...back, book: 'CreateIssue' }] }),
  ],
  [
    'a field of the request of a booking',
    'UnknownField',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, fetch, { ...back, request: { ...back.request, User: 'user-1' } }, collect],
      }),
  ],
  [
    'the type of a literal of a request',
    'SourceType',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, fetch, { ...account, request: { ...account.request, userUid: 5 } }],
      }),
  ],
  [
    'the type of a field of an answer',
    'SourceType',
    () =>
      defineFlow({
        ...common,
        steps: [
          booking,
          bringIn,
          fetch,
          quote,
          // @ts-expect-error
          { ...account, request: { ...account.request, userUid: { from: 'quote.cents' } } },
        ],
      }),
  ],
  [
    'a field of an answer',
    'UnknownPath',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, fetch, quote, { ...label, with: { cents: { from: 'quote.price' } } }],
      }),
  ],
  [
    'an answer that a condition names',
    'SourceType',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, fetch, quote, { ...label, when: { 'quote.answer': 'no' } }],
      }),
  ],
  [
    'a field of a role',
    'UnknownPath',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, fetch, { ...label, with: { device: { from: 'issue.shipmentUid' } } }],
      }),
  ],
  [
    'a role that is kept',
    'UnknownRole',
    // @ts-expect-error
    () => defineFlow({ ...common, steps: [booking, bringIn, { ...fetch, keep: ['issue'] }] }),
  ],
  [
    'a role that a caller releases',
    'UnknownRole',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, { ...fetch, completedBy: { update: 'release', role: 'issue' } }],
      }),
  ],
  [
    'a renamed role',
    'UnknownRole',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, fetch, back, { ...collect, wait: { back: 'Completed', issue: 'Completed' } }],
      }),
  ],
  [
    'the moment of a window',
    'UnknownPath',
    // @ts-expect-error
    () => defineFlow({ ...common, steps: [booking, bringIn, { ...fetch, window: { at: 'input.neededBy' } }] }),
  ],
  [
    'the moment of a pause',
    'UnknownPath',
    () =>
      defineFlow({
        ...common,
        steps: [
          booking,
          bringIn,
          fetch,
          // @ts-expect-error
          { name: 'pause', summary: 'The shop waits.', sleep: { until: { at: 'input.neededBy' } } },
        ],
      }),
  ],
  [
    'the first of several outputs',
    'UnknownPath',
    () =>
      defineFlow({
        ...common,
        steps: [booking, bringIn, fetch, label],
        // @ts-expect-error
        outputs: { no: { first: ['label.labelNo', 'label.labelNumber'] } },
      }),
  ],
  [
    'an output on a condition',
    'UnknownPath',
    () =>
      defineFlow({
        ...common,
        steps: [booking, bringIn, fetch, label],
        // @ts-expect-error
        outputs: { no: { from: 'label.labelNumber', when: { 'label.pages': 1 } } },
      }),
  ],
  [
    'a step after an error',
    'UnknownStep',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [{ ...booking, onError: { NoLockerAvailable: { goTo: 'fetched' } } }, bringIn, fetch],
      }),
  ],
  [
    'a condition below any',
    'UnknownPath',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, { ...fetch, when: { any: [{ 'input.PupUid': 'pup-1' }, { 'input.Pup': 'pup-2' }] } }],
      }),
  ],
  [
    'a condition below not',
    'UnknownPath',
    // @ts-expect-error
    () => defineFlow({ ...common, steps: [booking, bringIn, { ...fetch, when: { not: { 'input.Pup': 'pup-1' } } }] }),
  ],
  [
    'an answer in a list of a condition',
    'SourceType',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, fetch, quote, { ...label, when: { 'quote.answer': { in: ['priced', 'no'] } } }],
      }),
  ],
  [
    'the path that another one is compared with',
    'UnknownPath',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, { ...fetch, when: { 'input.PupUid': { is: { from: 'input.Pup' } } } }],
      }),
  ],
  [
    'the type of the path that another one is compared with',
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
          { ...account, when: { 'label.pages': { is: { from: 'label.labelNo' } } } },
        ],
      }),
  ],
  [
    'a threshold',
    'SourceType',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, fetch, label, { ...account, when: { 'label.pages': { lessThan: 'ten' } } }],
      }),
  ],
  [
    'a threshold of a flag',
    'SourceType',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, { ...fetch, when: { 'input.AllowLargerLockers': { lessThan: 1 } } }],
      }),
  ],
  [
    'a field of a response that is kept',
    'UnknownField',
    // @ts-expect-error
    () => defineFlow({ ...common, steps: [booking, bringIn, fetch, { ...account, keep: ['pup'] }] }),
  ],
  [
    'a field of a response that is not kept',
    'UnknownPath',
    () =>
      defineFlow({
        ...common,
        steps: [booking, bringIn, fetch, { ...account, keep: ['userUid'] }],
        // @ts-expect-error
        outputs: { pup: 'account.pupUid' },
      }),
  ],
  [
    'a role that is renamed',
    'UnknownRole',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, fetch, { ...back, as: { issue: 'back', intake: 'forth' } }, collect],
      }),
  ],
  [
    'an error code',
    'UnknownErrorCode',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [{ ...booking, onError: { NoLocker: { goTo: 'end' } } }, bringIn, fetch],
      }),
  ],
  [
    'a field of a part of a request',
    'UnknownField',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        steps: [booking, bringIn, fetch, { ...account, request: { merge: [account.request, { user: 'user-1' }] } }],
      }),
  ],
  [
    'a window without a policy',
    'WindowPolicyMismatch',
    () =>
      defineFlow({
        ...common,
        steps: [
          booking,
          // @ts-expect-error
          { name: 'bringIn', summary: 'The device comes.', wait: { intake: 'ReadyForPickup' }, window: '7d' },
          fetch,
        ],
      }),
  ],
  [
    'a field of a step',
    'UnknownField',
    () =>
      defineFlow({
        ...common,
        steps: [
          booking,
          {
            ...bringIn,
            // @ts-expect-error
            onLockerOutOfservice: 'ask',
          },
          fetch,
        ],
      }),
  ],
  [
    'a field of the flow',
    'UnknownField',
    () =>
      defineFlow({
        ...common,
        // @ts-expect-error
        output: {},
        steps: [booking, bringIn, fetch],
      }),
  ],
  [
    'a value of one field of a request, whose other fields are right',
    'SourceType',
    () =>
      defineFlow({
        ...common,
        steps: [
          {
            ...booking,
            request: {
              PupUid: 'pup-1',
              FromUserUid: 'user-1',
              Dimension: { width: 20, height: 10, length: 30 },
              // @ts-expect-error
              AllowLargerLockers: 'yes',
              AllowOverflowLockers: false,
            },
          },
          bringIn,
          fetch,
        ],
      }),
  ],
  [
    'an input that may be absent for a field that must be given',
    'SourceType',
    () =>
      defineFlow({
        ...common,
        input: inPlaceInput,
        steps: [
          // @ts-expect-error
          { ...inPlaceBooking, request: { ...inPlaceBooking.request, ToUserUid: { from: 'input.note' } } },
          exchange,
        ],
      }),
  ],
  [
    'a field of a response that may be null for a field that must be given',
    'SourceType',
    () =>
      defineFlow({
        ...common,
        input: { ...inPlaceInput, emailAddress: 'text' },
        steps: [
          inPlaceBooking,
          exchange,
          readAccount,
          // @ts-expect-error
          { ...account, request: { userUid: { from: 'owner.userUid' }, pickUpPointUid: { from: 'input.PupUid' } } },
        ],
      }),
  ],
  [
    'a field of an answer that may be absent for a field that must be given',
    'SourceType',
    () =>
      defineFlow({
        ...common,
        steps: [
          booking,
          bringIn,
          fetch,
          { ...quote, ask: { named: { userUid: { optional: 'uid' } } } },
          // @ts-expect-error
          { ...account, request: { ...account.request, userUid: { from: 'quote.userUid' } } },
        ],
      }),
  ],
  [
    'a result of an activity that may be absent for a field that must be given',
    'SourceType',
    () =>
      defineFlow({
        ...common,
        steps: [
          booking,
          bringIn,
          fetch,
          { ...label, keep: { userUid: { optional: 'uid' } } },
          // @ts-expect-error
          { ...account, request: { ...account.request, userUid: { from: 'label.userUid' } } },
        ],
      }),
  ],
  [
    'a value on a condition that does not demand it for a field that must be given',
    'SourceType',
    () =>
      defineFlow({
        ...common,
        steps: [
          booking,
          bringIn,
          fetch,
          { ...label, keep: { userUid: { optional: 'uid' } } },
          {
            ...account,
            when: { 'label.userUid': { not: 'user-1' } },
            // @ts-expect-error
            request: { ...account.request, userUid: { from: 'label.userUid' } },
          },
        ],
      }),
  ],
  [
    'a moment that may be absent',
    'SourceType',
    () =>
      defineFlow({
        ...common,
        steps: [
          booking,
          bringIn,
          fetch,
          { ...label, keep: { until: { optional: 'instant' } } },
          // @ts-expect-error
          { name: 'pause', summary: 'The shop waits.', sleep: { until: { at: 'label.until' } } },
        ],
      }),
  ],
  [
    'an output of one step',
    'UnknownPath',
    // @ts-expect-error
    () => defineFlow({ ...common, steps: [booking, bringIn, fetch], outputs: { label: 'label' } }),
  ],
]

test.each(mistakes)('%s that is wrong is an error of the compiler and a fault of the check', (_, code, flow) => {
  expect(checkFlows([flow()]).map(fault => fault.code)).toEqual([code])
})

/** The sentence of the compiler at a faulty leaf. */
type SentenceOf<Leaf> = Leaf extends { fault: infer Sentence } ? Sentence : never

test('the compiler says what is wrong, and what is known', () => {
  interface Wrong {
    name: 'wrong'
    summary: 'Names that lead nowhere.'
    steps: [
      typeof booking,
      { name: 'bringIn'; summary: ''; wait: { intak: 'Completed' }; window: null },
      { name: 'fetch'; summary: ''; wait: { intake: 'Completed' }; window: '1d'; onTimeout: { goTo: 'fecth' } },
      Omit<typeof account, 'request'> & { request: { userUid: { from: 'input.FromUserUi' }; pickUpPointUid: 7 } },
      typeof readAccount,
      Omit<typeof account, 'request'> & {
        request: { userUid: { from: 'owner.userUid' }; pickUpPointUid: { from: 'input.LockerUid' } }
      },
    ]
  }
  type Steps = Checked<Wrong>['steps']
  const role: SentenceOf<Steps[1]['wait']['intak']> = 'is not a role that the flow books: intak'
  const known: Steps[1]['wait']['intak']['known'] = 'intake'
  const step: SentenceOf<Steps[2]['onTimeout']['goTo']> = 'must be a later step, or end'
  const path: SentenceOf<Steps[3]['request']['userUid']['from']> =
    'must be a path of the input, a step or a role: input.FromUserUi'
  const value: SentenceOf<Steps[3]['request']['pickUpPointUid']> = 'must be a value of the type of the field'
  const nullable: SentenceOf<Steps[5]['request']['userUid']['from']> =
    'must be given, but may be absent or null; add { or }, or a condition: owner.userUid'
  const optional: SentenceOf<Steps[5]['request']['pickUpPointUid']['from']> =
    'must be given, but may be absent or null; add { or }, or a condition: input.LockerUid'
  expect([role, known, step, path, value, nullable, optional].every(text => text.length > 0)).toBe(true)
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
  const wrongField: ActivitiesFor<typeof shop> = {
    // @ts-expect-error the step passes no name
    printLabel: async ({ name }: { name: string }) => ({ labelNo: name, pages: 1 }),
  }
  const wrongType: ActivitiesFor<typeof shop> = {
    // @ts-expect-error pages are a number
    printLabel: async () => ({ labelNo: 'L-1', pages: 'one' }),
  }
  const wrongAnswer: ActivitiesFor<typeof asking> = {
    // @ts-expect-error the field of the answer is a number
    printLabel: async ({ cents }: { cents: string }) => ({ labelNo: cents, pages: 1 }),
  }
  const runs = defineFlow({
    ...common,
    name: 'runs',
    input: { ...inPlaceInput, serial: { optional: 'text' } },
    steps: [
      inPlaceBooking,
      exchange,
      { ...label, with: { note: { from: 'input.note' }, order: { from: 'input.orderNo' } }, undo: 'voidLabel' },
      {
        ...label,
        name: 'second',
        run: 'engrave',
        when: { 'input.serial': { present: true } },
        with: { serial: { from: 'input.serial' }, note: { from: 'input.note', or: 'none' } },
      },
    ],
    outputs: { first: 'label', second: 'second' },
  })
  expect(checkFlows([runs])).toEqual([])
  const given: ActivitiesFor<typeof runs> = {
    // An optional field may be absent, or null.
    printLabel: async ({ note, order }: { note?: string | null; order: string }, { key }) => ({
      labelNo: `${order} ${note} ${key}`,
      pages: 1,
    }),
    engrave: async ({ serial, note }: { serial: string; note: string }) => ({ labelNo: serial + note, pages: 1 }),
    voidLabel: async ({ output }) => output?.labelNo.length,
  }
  const wrongOptional: Partial<typeof given> = {
    // @ts-expect-error the note may be absent
    printLabel: async ({ note }: { note: string }) => ({ labelNo: note, pages: 1 }),
  }
  const wrongUndo: Partial<typeof given> = {
    // @ts-expect-error the step keeps no labelUid
    voidLabel: async ({ output }) => output?.labelUid,
  }
  expect([given, wrongOptional, wrongUndo].map(each => Object.keys(each).length)).toEqual([3, 1, 1])
  const all = [activities, wrongResult, wrongInput, wrongField, wrongType, wrongAnswer]
  expect(all.map(Object.keys)).toEqual(Array(all.length).fill(['printLabel']))
  // @ts-expect-error the flow runs printLabel
  const missing: ActivitiesFor<typeof shop> = {}
  // @ts-expect-error the flow runs nothing of this name
  const unknown: ActivitiesFor<typeof shop> = { ...activities, printLabels: activities.printLabel }
  expect([missing, unknown].map(each => Object.keys(each).length)).toEqual([0, 2])
})
