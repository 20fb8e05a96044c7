import { describe, expect, test } from 'vitest'
import { type StateCode, stateCodes } from '#contract/terms'
import { apply, initialFacts, type ShipmentEvent, type ShipmentFacts, shipmentMachine } from '#machines'

interface Row {
  readonly event: ShipmentEvent
  readonly from: StateCode
  /** The facts that matter; the row holds whatever the others are. */
  readonly when?: Partial<ShipmentFacts>
  readonly to: StateCode
  readonly receiver?: boolean
}

const active: StateCode[] = ['WaitForPriorShipment', 'ReadyForDropOff', 'WaitForReceiver', 'ReadyForPickup']
const swap: ShipmentEvent = { type: 'turnComes', link: 'swap' }
const subsequent: ShipmentEvent = { type: 'turnComes', link: 'subsequent' }
const circular: ShipmentEvent = { type: 'turnComes', link: 'circular' }
const unissued = { stock: true, receiver: false }

/** Every step that a shipment can take; whatever is not here is refused. */
const rows: Row[] = [
  { event: { type: 'dropOff' }, from: 'ReadyForDropOff', when: { passesOn: true }, to: 'Completed' },
  {
    event: { type: 'dropOff' },
    from: 'ReadyForDropOff',
    when: { passesOn: false, receiver: true },
    to: 'ReadyForPickup',
  },
  {
    event: { type: 'dropOff' },
    from: 'ReadyForDropOff',
    when: { passesOn: false, receiver: false },
    to: 'WaitForReceiver',
  },
  { event: { type: 'pickUp' }, from: 'ReadyForPickup', when: { kept: false }, to: 'Completed' },
  { event: { type: 'pickUp' }, from: 'ReadyForPickup', when: { kept: true }, to: 'ReadyForPickup' },
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
const everyFacts: ShipmentFacts[] = choice.flatMap(receiver =>
  choice.flatMap(kept => choice.flatMap(stock => choice.map(passesOn => ({ receiver, kept, stock, passesOn })))),
)

function rowFor(event: ShipmentEvent, from: StateCode, facts: ShipmentFacts): Row | undefined {
  return rows.find(
    row =>
      JSON.stringify(row.event) === JSON.stringify(event) &&
      row.from === from &&
      Object.entries(row.when ?? {}).every(([fact, value]) => facts[fact as keyof ShipmentFacts] === value),
  )
}

describe.each(stateCodes)('a shipment in %s', from => {
  describe.each(events)('$type $link', event => {
    test.each(everyFacts)('receiver $receiver, kept $kept, stock $stock, passesOn $passesOn', facts => {
      // Nobody is named to collect while a shipment waits for a receiver.
      if (from === 'WaitForReceiver' && facts.receiver) return
      const row = rowFor(event, from, facts)
      const applied = apply({ state: from, facts }, event)
      if (row === undefined) expect(applied).toEqual({ accepted: false })
      else {
        const receiver = row.receiver ?? facts.receiver
        expect(applied).toEqual({ accepted: true, next: { state: row.to, facts: { ...facts, receiver } } })
      }
    })
  })
})

test('applying an event leaves what was held as it was', () => {
  const held = { state: 'WaitForReceiver', facts: initialFacts } as const
  apply(held, { type: 'setReceiver' })
  expect(held).toEqual({
    state: 'WaitForReceiver',
    facts: { receiver: false, kept: false, stock: false, passesOn: false },
  })
})

test('the machine has nothing that needs a clock or an actor', () => {
  for (const state of Object.values(shipmentMachine.config.states ?? {})) {
    expect(Object.keys(state).filter(key => ['after', 'invoke', 'entry', 'exit', 'always'].includes(key))).toEqual([])
  }
})
