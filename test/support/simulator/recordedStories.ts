import { join } from 'node:path'
import { fullProfile } from '#contract/terms'
import { loadFlows } from '#flows/check'
import type { FailingWork, SimulatedStart, Simulation, SimulationOptions, StoryEvent } from '#testing/simulator'
import { repairShop } from '../../../examples/repair-shop/flows/repairShop.ts'
import { unusedAddress } from '../../replay/unusedAddress.ts'
import { declared, waitedIn } from '../flows/stages.ts'
import { parcel } from '../world/apiWorld.ts'
import { eventsUntil, fromUser, onStock, startOf, tell, toUser } from './journeys.ts'
import { foreignUid } from './recordedDelivery.ts'

const parcelFile = join(import.meta.dirname, '../flows/parcelReturn/parcelReturn.yaml')

/** The case number of all stories. */
export const recordedCase = 'T-00000000-0000-4000-8000-000000000000'

/** The story of a scenario in test/replay, for the simulator. */
export interface RecordedStory {
  readonly start: SimulatedStart
  readonly options?: SimulationOptions
  /** Calls of the service before the flow. */
  prepare?(simulation: Simulation): Promise<unknown>
  /** Faults from the start. */
  readonly faults?: readonly FailingWork[]
  /** @param foreign the number of foreign callbacks that were recorded */
  play(simulation: Simulation, foreign: number): Promise<unknown>
}

const completed = declared.map(({ name }): [string, RecordedStory] => [
  `${name}-completed`,
  { start: startOf(name), play: simulation => tell(simulation, eventsUntil(name)) },
])

const cancelled = declared.flatMap(flow =>
  waitedIn(flow).map((step): [string, RecordedStory] => [
    `${flow.name}-cancelled-in-${step.name}`,
    {
      start: startOf(flow.name, step.name),
      play: simulation => tell(simulation, [...eventsUntil(flow.name, step.name), { cancel: 'recorded' }]),
    },
  ]),
)

const overdue = declared.flatMap(flow =>
  waitedIn(flow).map((step): [string, RecordedStory] => [
    `${flow.name}-overdue-in-${step.name}`,
    {
      start: { ...startOf(flow.name, step.name), windows: { [step.name]: '400ms' } },
      play: simulation =>
        tell(simulation, [
          ...eventsUntil(flow.name, step.name),
          { after: '400ms' },
          ...(step.onTimeout === 'cancel' ? [] : ([{ decide: 'extend', by: '1h' }, { cancelInWebUi: true }] as const)),
        ]),
    },
  ]),
)

const book = 'CreateLocalShipmentAsStock'
const stock: SimulatedStart = { flow: 'stock', request: parcel }
const withoutKeys = { ...fullProfile, idempotent: false }
const minute = 60_000
const nothing = async () => undefined

const bookings: Readonly<Record<string, RecordedStory>> = {
  'stock-refused': { start: { ...stock, request: { ...parcel, PupUid: 'nowhere' } }, play: nothing },
  'stock-input-not-valid': { start: { ...stock, request: {} }, play: nothing },
  'stock-response-lost': {
    start: { ...stock, windows: {} },
    faults: [{ book, times: 2, fault: 'responseLost' }],
    play: simulation => tell(simulation, [{ after: '2s' }, { cancel: 'recorded' }]),
  },
  'stock-booking-given-up': {
    start: { ...stock, windows: { booking: '1s' } },
    // The first attempt and those of the window. The flow then asks for the response of the last one.
    faults: [{ book, times: 4, fault: 'responseLost' }],
    play: simulation => simulation.advance(minute),
  },
  'stock-cancelled-while-booking': {
    start: { ...stock, waits: false },
    faults: [{ book, fault: 'requestLost' }],
    async play(simulation) {
      await tell(simulation, [{ cancel: 'recorded' }, { cancelInWebUi: true }, { after: '1s' }, { recover: book }])
      await simulation.advance(minute)
    },
  },
  'issueFromStock-cancelled-while-booking': {
    start: { flow: 'issueFromStock', ...onStock, waits: false },
    options: { createDelay: 1_000 },
    faults: [{ book: 'CreateLocalShipmentAsIssueFromStock', fault: 'requestLost' }],
    play: simulation => tell(simulation, [{ cancel: 'recorded' }, { after: '1m' }]),
  },
  'stock-booked-twice-without-keys': {
    start: { ...stock, windows: {} },
    options: { profile: withoutKeys },
    async play(simulation) {
      const { caseNo } = simulation.status()
      // The flow orders bookings by their time.
      await simulation.advance(100)
      await simulation.call(book, { ...parcel, Details: { ReferenceCaseNo: caseNo } })
      await simulation.apply({ cancel: 'recorded' })
    },
  },
  'stock-retried-without-keys-or-polls': {
    start: { ...stock, windows: {} },
    options: { profile: { ...withoutKeys, reads: false, readsByCase: false } },
    faults: [{ book, times: 1, code: 'RateLimited' }],
    play: simulation => tell(simulation, [{ after: '5s' }, { cancel: 'recorded' }]),
  },
  'issueAndSwapIntake-adopted': {
    start: { ...startOf('issueAndSwapIntake'), adopt: true },
    async prepare(simulation) {
      const { shipmentUids } = await simulation.call('CreateLocalShipmentAsIssueAndSwapIntake', {
        ...parcel,
        ToUserUid: simulation.values.user(1),
        Details: { ReferenceCaseNo: recordedCase },
        Return: { ReferenceCaseNo: recordedCase },
      })
      await simulation.openLocker(shipmentUids[0] ?? '', 'deliveryCode')
    },
    play: simulation => tell(simulation, [{ cancel: 'recorded' }]),
  },
}

const kept: SimulatedStart = {
  flow: 'collectByUser',
  request: { ...parcel, ...toUser, KeepBookedAfterPickUp: true },
  windows: {},
}
const keptByDispatcher: SimulatedStart = {
  flow: 'collectByDispatcher',
  request: { ...parcel, KeepBookedAfterPickUp: true },
  windows: {},
}
const withoutReceiver: SimulatedStart = {
  flow: 'localShipment',
  request: { ...parcel, ...fromUser, IsReceiverDelayed: true },
  windows: {},
}
const unknown = { answer: 'named', step: 'naming', fields: { toUserUid: 'nobody' } }
const assigned = { answer: 'named', step: 'naming', fields: { toUserUid: { $user: 1 } } }
const release = { answer: 'release', step: 'kept' }

const updates: Readonly<Record<string, RecordedStory>> = {
  'collectByUser-kept-released': { start: kept, play: simulation => tell(simulation, [release]) },
  'collectByUser-kept-cancelled': { start: kept, play: simulation => tell(simulation, [{ cancel: 'recorded' }]) },
  'collectByDispatcher-kept-released': {
    start: keptByDispatcher,
    play: simulation => tell(simulation, [release]),
  },
  'collectByDispatcher-kept-cancelled': {
    start: keptByDispatcher,
    play: simulation => tell(simulation, [{ cancel: 'recorded' }]),
  },
  'localShipment-receiver-assigned': {
    start: withoutReceiver,
    play: simulation => tell(simulation, [{ dropOff: 'shipment' }, unknown, assigned, { pickUp: 'shipment' }]),
  },
  'localShipment-cancelled-in-receiver': {
    start: withoutReceiver,
    play: simulation => tell(simulation, [{ dropOff: 'shipment' }, { cancel: 'recorded' }]),
  },
}

const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'

const decisions: Readonly<Record<string, RecordedStory>> = {
  'issue-kept-waiting-in-pickUp': {
    start: { ...startOf('issue'), windows: { pickUp: '400ms' } },
    play: simulation =>
      tell(simulation, [{ dropOff: 'issue' }, { after: '400ms' }, { decide: 'keepWaiting' }, { pickUp: 'issue' }]),
  },
  [`${loan}-given-up-in-return`]: {
    start: { ...startOf(loan), windows: { return: '400ms' } },
    play: simulation => tell(simulation, [...eventsUntil(loan, 'return'), { after: '400ms' }, { decide: 'cancel' }]),
  },
  'intake-cancelled-at-the-service-in-dropOff': {
    start: startOf('intake'),
    play: simulation => tell(simulation, [{ cancelShipment: 'intake' }]),
  },
}

const account = { emailAddress: unusedAddress, firstName: 'First', lastName: 'Last', pickUpPointUid: 'pup-1' }
const onboard: SimulatedStart = { flow: 'onboardAccount', request: account, waits: false }
const importFile: SimulatedStart = {
  flow: 'importAccountSuggestions',
  request: { url: 'http://127.0.0.1:1/people.csv' },
  waits: false,
}

const accounts: Readonly<Record<string, RecordedStory>> = {
  'onboardAccount-completed': { start: onboard, play: nothing },
  'onboardAccount-set-up-afterwards': {
    start: {
      ...onboard,
      request: { ...account, pickUpPointUid: 'pup-2', mutationConfig: { canChangeEmailAddress: false } },
    },
    async prepare(simulation) {
      // The account exists since the recording of another flow.
      await simulation.call('CreateOrGetAccount', account)
      await simulation.call('SetSandboxFaults', { mutationConfigFails: true })
    },
    play: nothing,
  },
  'onboardAccount-refused': {
    start: { ...onboard, request: { ...account, pickUpPointUid: 'pup-3' } },
    play: nothing,
  },
  'onboardAccount-cancelled': {
    start: onboard,
    faults: [{ call: 'CreateOrGetAccount', fault: 'requestLost' }],
    play: simulation => tell(simulation, [{ cancel: 'recorded' }]),
  },
  'importAccountSuggestions-completed': { start: importFile, play: nothing },
  'importAccountSuggestions-cancelled': {
    start: importFile,
    faults: [{ run: 'importSuggestions', code: 'FileNotFetched' }],
    play: simulation => tell(simulation, [{ cancel: 'recorded' }]),
  },
}

const notified: SimulationOptions = { notifications: true }

const notifications: Readonly<Record<string, RecordedStory>> = {
  'issue-completed-with-notifications': {
    start: startOf('issue'),
    options: notified,
    play: simulation => tell(simulation, eventsUntil('issue')),
  },
  'stock-overdue-with-notifications': {
    start: { ...stock, windows: { dropOff: '400ms' } },
    options: notified,
    play: simulation => tell(simulation, [{ after: '400ms' }, { cancel: 'recorded' }, { after: '1s' }]),
  },
}

const long: SimulationOptions = { suggestedAt: 60 }

/** Sends the foreign callbacks of all runs. The recorded order decides when each arrives. */
async function growLong(simulation: Simulation, foreign: number): Promise<void> {
  const status = { shipmentUid: foreignUid, stateCode: 'Completed', stateStart: '' }
  for (let sent = 0; sent < foreign; sent++) await simulation.signal(status)
}

const continuedAsNew: Readonly<Record<string, RecordedStory>> = {
  [`${loan}-continued-as-new`]: {
    start: { ...startOf(loan), windows: { return: '400ms' } },
    options: long,
    async play(simulation, foreign) {
      await tell(simulation, [...eventsUntil(loan, 'return'), { after: '400ms' }])
      await growLong(simulation, foreign)
      await tell(simulation, [{ decide: 'extend', by: '1h' }, { dropOff: 'intake' }])
    },
  },
  [`${loan}-continued-as-new-before-the-issue`]: {
    start: startOf(loan),
    options: long,
    async play(simulation, foreign) {
      await growLong(simulation, foreign)
      await tell(simulation, eventsUntil(loan))
    },
  },
  'stock-continued-as-new-and-reminded': {
    start: { ...stock, windows: { dropOff: '3s' } },
    options: long,
    async play(simulation, foreign) {
      await simulation.advance(3_000)
      await growLong(simulation, foreign)
      await tell(simulation, [{ after: '3s' }, { cancel: 'recorded' }])
    },
  },
  'collectByUser-continued-as-new-while-kept': {
    start: kept,
    options: long,
    async play(simulation, foreign) {
      await growLong(simulation, foreign)
      await simulation.apply(release)
    },
  },
  'localShipment-continued-as-new-with-refusals': {
    start: withoutReceiver,
    options: long,
    async play(simulation, foreign) {
      await tell(simulation, [{ dropOff: 'shipment' }, unknown])
      await growLong(simulation, foreign)
      await tell(simulation, [unknown, assigned, { pickUp: 'shipment' }])
    },
  },
  'issue-continued-as-new-with-notifications': {
    start: { ...startOf('issue'), windows: {} },
    options: { ...long, ...notified },
    async play(simulation, foreign) {
      await simulation.apply({ dropOff: 'issue' })
      await growLong(simulation, foreign)
      await simulation.apply({ pickUp: 'issue' })
    },
  },
}

const shop: SimulationOptions = { flows: { repairShop } }
const size = { width: 30, height: 15, length: 40 }
const repair: SimulatedStart = {
  flow: 'repairShop',
  request: { PupUid: 'pup-1', customerUid: { $user: 1 }, size, neededBy: { $in: '50h' } },
  windows: {},
}
/** The events that end the first steps of the repair shop. */
const repairEvents: readonly StoryEvent[] = [
  { dropOff: 'intake' },
  { pickUp: 'intake' },
  { answer: 'priced', step: 'quote', fields: { cents: 4900 }, by: 'kim' },
  { answer: 'agree', step: 'offer', by: 'lee' },
]

/** The events that end a flow in `offer`, by its outcome. */
const offerEnds = {
  declined: [{ answer: 'decline', step: 'offer', fields: {} }, { dropOff: 'back' }, { pickUp: 'back' }],
  cancelled: [{ cancel: 'recorded' }],
} satisfies Readonly<Record<string, readonly StoryEvent[]>>

const parcelShop: SimulationOptions = { flows: (await loadFlows([parcelFile])).flows }
const parcelReturn: SimulatedStart = {
  flow: 'parcelReturn',
  request: { PupUid: 'pup-1', customerUid: { $user: 1 }, size, courierAt: { $in: '1s' } },
  waits: false,
}
/** The events up to the check of the parcel. */
const parcelEvents: readonly StoryEvent[] = [{ dropOff: 'intake' }, { after: '1s' }, { pickUp: 'intake' }]

const repairs: Readonly<Record<string, RecordedStory>> = {
  ...Object.fromEntries(
    ['bringIn', 'fetch', 'quote', 'offer', 'repair'].map((step, index): [string, RecordedStory] => [
      `repairShop-cancelled-in-${step}`,
      {
        start: repair,
        options: shop,
        play: simulation => tell(simulation, [...repairEvents.slice(0, index), { cancel: 'recorded' }]),
      },
    ]),
  ),
  'repairShop-declined': {
    start: repair,
    options: shop,
    play: simulation => tell(simulation, [...repairEvents.slice(0, 3), ...offerEnds.declined]),
  },
  ...Object.fromEntries(
    Object.entries(offerEnds).map(([end, events]): [string, RecordedStory] => [
      `repairShop-continued-as-new-in-offer-${end}`,
      {
        start: repair,
        options: { ...shop, suggestedAt: 120 },
        async play(simulation, foreign) {
          await tell(simulation, repairEvents.slice(0, 3))
          await growLong(simulation, foreign)
          await tell(simulation, events)
        },
      },
    ]),
  ),
  'repairShop-completed': {
    start: repair,
    options: shop,
    play: simulation => tell(simulation, [...repairEvents, { dropOff: 'back' }, { pickUp: 'back' }]),
  },
  'repairShop-unanswered': {
    // Two days and six seconds.
    start: { ...repair, request: { ...repair.request, neededBy: { $in: '172806s' } } },
    options: shop,
    play: simulation =>
      tell(simulation, [...repairEvents.slice(0, 3), { after: '6s' }, { dropOff: 'back' }, { pickUp: 'back' }]),
  },
  'repairShop-expired-in-bringIn': {
    start: { ...repair, windows: { bringIn: '300ms' } },
    options: shop,
    play: simulation => tell(simulation, [{ after: '300ms' }]),
  },
  'parcelReturn-refunded': {
    start: parcelReturn,
    options: parcelShop,
    play: simulation =>
      tell(simulation, [...parcelEvents, { answer: 'refund', step: 'check', fields: { cents: 2_500 } }]),
  },
  'parcelReturn-rejected': {
    start: parcelReturn,
    options: parcelShop,
    play: simulation =>
      tell(simulation, [
        ...parcelEvents,
        { answer: 'reject', step: 'check', fields: { why: 'It is broken.' } },
        { dropOff: 'back' },
        { pickUp: 'back' },
      ]),
  },
}

/** By the name of the history, or of the first one of several. */
export const stories: Readonly<Record<string, RecordedStory>> = {
  ...Object.fromEntries([...completed, ...cancelled, ...overdue]),
  ...bookings,
  ...updates,
  ...decisions,
  ...accounts,
  ...notifications,
  ...continuedAsNew,
  ...repairs,
}
