import { describe, expect, test } from 'vitest'
import { apply, type MachineSnapshot, reachability, type ShipmentContext, type ShipmentEvent } from '#contract/machines'
import { type StateCode, stateCodes } from '#contract/terms'

interface Row {
  readonly event: ShipmentEvent
  readonly from: StateCode
  /** The fields of the context that matter; the others can be anything. */
  readonly when?: Partial<ShipmentContext>
  readonly to: StateCode
  readonly receiver?: boolean
}

const active: StateCode[] = ['WaitForPriorShipment', 'ReadyForDropOff', 'WaitForReceiver', 'ReadyForPickup']
const swap: ShipmentEvent = { type: 'priorAdvanced', link: 'swap' }
const subsequent: ShipmentEvent = { type: 'priorAdvanced', link: 'subsequent' }
const circular: ShipmentEvent = { type: 'priorAdvanced', link: 'circular' }
const unissued = { stock: true, receiver: false }

/** Every allowed transition. An event without a row is refused. */
const rows: Row[] = [
  { event: { type: 'dropOff' }, from: 'ReadyForDropOff', when: { feedsStock: true }, to: 'Completed' },
  {
    event: { type: 'dropOff' },
    from: 'ReadyForDropOff',
    when: { feedsStock: false, receiver: true },
    to: 'ReadyForPickup',
  },
  {
    event: { type: 'dropOff' },
    from: 'ReadyForDropOff',
    when: { feedsStock: false, receiver: false },
    to: 'WaitForReceiver',
  },
  { event: { type: 'pickUp' }, from: 'ReadyForPickup', when: { keepBooked: false }, to: 'Completed' },
  { event: { type: 'pickUp' }, from: 'ReadyForPickup', when: { keepBooked: true }, to: 'ReadyForPickup' },
  { event: { type: 'setReceiver' }, from: 'WaitForReceiver', to: 'ReadyForPickup', receiver: true },
  ...(['WaitForPriorShipment', 'ReadyForDropOff'] as const).flatMap((from): Row[] => [
    { event: { type: 'setReceiver' }, from, when: { receiver: false }, to: from, receiver: true },
    { event: { type: 'removeReceiver' }, from, when: { receiver: true }, to: from, receiver: false },
    { event: { type: 'issueFromStock' }, from, when: unissued, to: from, receiver: true },
  ]),
  { event: { type: 'issueFromStock' }, from: 'WaitForReceiver', when: unissued, to: 'ReadyForPickup', receiver: true },
  { event: { type: 'issueFromStock' }, from: 'ReadyForPickup', when: unissued, to: 'ReadyForPickup', receiver: true },
  { event: swap, from: 'WaitForPriorShipment', to: 'ReadyForDropOff' },
  { event: subsequent, from: 'WaitForPriorShipment', to: 'ReadyForDropOff' },
  { event: circular, from: 'WaitForPriorShipment', to: 'ReadyForPickup' },
  ...active.map((from): Row => ({ event: { type: 'cancel' }, from, to: 'Cancelled' })),
]

const events: ShipmentEvent[] = [
  { type: 'dropOff' },
  { type: 'pickUp' },
  { type: 'setReceiver' },
  { type: 'removeReceiver' },
  { type: 'issueFromStock' },
  swap,
  subsequent,
  circular,
  { type: 'cancel' },
]

const choice = [false, true]
const everyContext: ShipmentContext[] = choice.flatMap(receiver =>
  choice.flatMap(keepBooked =>
    choice.flatMap(stock => choice.map(feedsStock => ({ receiver, keepBooked, stock, feedsStock }))),
  ),
)

function rowFor(event: ShipmentEvent, from: StateCode, context: ShipmentContext): Row | undefined {
  return rows.find(
    row =>
      JSON.stringify(row.event) === JSON.stringify(event) &&
      row.from === from &&
      Object.entries(row.when ?? {}).every(([field, value]) => context[field as keyof ShipmentContext] === value),
  )
}

describe.each(stateCodes)('a shipment in %s', from => {
  describe.each(events)('$type $link', event => {
    test.each(everyContext)(
      'receiver $receiver, keepBooked $keepBooked, stock $stock, feedsStock $feedsStock',
      context => {
        // A shipment that waits for a receiver has none.
        if (from === 'WaitForReceiver' && context.receiver) return
        const row = rowFor(event, from, context)
        const applied = apply({ state: from, context }, event)
        if (row === undefined) expect(applied).toEqual({ accepted: false })
        else {
          const receiver = row.receiver ?? context.receiver
          expect(applied).toEqual({ accepted: true, next: { state: row.to, context: { ...context, receiver } } })
        }
      },
    )
  })
})

test('applying an event leaves the snapshot unchanged', () => {
  const context = { receiver: false, keepBooked: false, stock: false, feedsStock: false }
  const snapshot = { state: 'WaitForReceiver', context } as const
  apply(snapshot, { type: 'setReceiver' })
  expect(snapshot).toEqual({
    state: 'WaitForReceiver',
    context: { receiver: false, keepBooked: false, stock: false, feedsStock: false },
  })
})

describe('the states that can follow', () => {
  test.each([
    ['WaitForPriorShipment', ['ReadyForDropOff', 'WaitForReceiver', 'ReadyForPickup', 'Completed', 'Cancelled']],
    ['ReadyForDropOff', ['WaitForReceiver', 'ReadyForPickup', 'Completed', 'Cancelled']],
    ['WaitForReceiver', ['ReadyForPickup', 'Completed', 'Cancelled']],
    ['ReadyForPickup', ['Completed', 'Cancelled']],
    ['Completed', []],
    ['Cancelled', []],
  ] as const)('%s', (from, after) => {
    expect(reachability()[from]).toEqual(after)
  })

  test.each(stateCodes)('%s are the states that some context and some events lead to', from => {
    expect(reachability()[from]).toEqual(stateCodes.filter(to => to !== from && visitedFrom(from).has(to)))
  })
})

/** Every state that events lead to, from a state with any context. The graph of the machine does not try its guards. */
function visitedFrom(from: StateCode): ReadonlySet<StateCode> {
  const queue = everyContext.map((context): MachineSnapshot => ({ state: from, context }))
  const seen = new Map<string, MachineSnapshot>()
  for (let snapshot = queue.pop(); snapshot !== undefined; snapshot = queue.pop()) {
    for (const event of events) {
      const applied = apply(snapshot, event)
      const key = JSON.stringify(applied)
      if (!applied.accepted || seen.has(key)) continue
      seen.set(key, applied.next)
      queue.push(applied.next)
    }
  }
  return new Set([...seen.values()].map(({ state }) => state))
}
