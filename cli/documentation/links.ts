import { happen, initialFacts, type LinkedShipment, type ShipmentEvent } from '#machines'
import { table } from './markdown.ts'

/** Something that happens to one of the linked shipments. */
interface Step {
  readonly to: string
  readonly event: ShipmentEvent
  readonly told: string
}

/** Linked shipments, and what happens to them one after the other. */
interface Example {
  readonly title: string
  readonly shipments: readonly LinkedShipment[]
  readonly steps: readonly Step[]
}

const { receiver: _, passesOn: __, ...facts } = initialFacts
const named = { facts: { ...facts, receiver: true }, collectOnly: false }
const unnamed = { facts: { ...facts, receiver: false, stock: true }, collectOnly: false }

const examples: readonly Example[] = [
  {
    title: 'A swap',
    shipments: [
      { uid: 'issue', state: 'ReadyForDropOff', ...named, after: null },
      { uid: 'intake', state: 'WaitForPriorShipment', ...named, after: { link: 'swap', uid: 'issue' } },
    ],
    steps: [
      { to: 'issue', event: { type: 'dropOff' }, told: 'the new item is dropped off' },
      { to: 'intake', event: { type: 'dropOff' }, told: 'the common code opens the locker' },
      { to: 'intake', event: { type: 'pickUp' }, told: 'the old item is collected' },
    ],
  },
  {
    title: 'A loan',
    shipments: [
      { uid: 'issue', state: 'ReadyForPickup', ...named, after: null },
      { uid: 'intake', state: 'WaitForPriorShipment', ...named, after: { link: 'subsequent', uid: 'issue' } },
      { uid: 'stock', state: 'WaitForPriorShipment', ...unnamed, after: { link: 'circular', uid: 'intake' } },
    ],
    steps: [
      { to: 'issue', event: { type: 'pickUp' }, told: 'the user takes the item out' },
      { to: 'intake', event: { type: 'dropOff' }, told: 'the user brings it back' },
    ],
  },
  {
    title: 'A loan that is cancelled',
    shipments: [
      { uid: 'issue', state: 'ReadyForPickup', ...named, after: null },
      { uid: 'intake', state: 'WaitForPriorShipment', ...named, after: { link: 'subsequent', uid: 'issue' } },
      { uid: 'stock', state: 'WaitForPriorShipment', ...unnamed, after: { link: 'circular', uid: 'intake' } },
    ],
    steps: [{ to: 'issue', event: { type: 'cancel' }, told: 'the issue is cancelled' }],
  },
]

/** The links as pictures, and what one event does to all of them: played with the machines, so it cannot be wrong. */
export function linksSection(): string {
  return examples.flatMap(example => [`### ${example.title}`, picture(example), played(example)]).join('\n\n')
}

function picture({ shipments }: Example): string {
  const arrows = shipments.flatMap(({ uid, after }) =>
    after === null ? [] : [`  ${after.uid} -->|${after.link}| ${uid}`],
  )
  return ['```mermaid', 'flowchart LR', ...arrows, '```'].join('\n')
}

function played({ shipments, steps }: Example): string {
  let now = [...shipments]
  const rows = steps.map(({ to, event, told }) => {
    const happened = happen(now, to, event)
    const changes = happened.accepted ? happened.changes : []
    now = now.map(shipment => {
      const change = changes.find(({ uid }) => uid === shipment.uid)
      return change === undefined ? shipment : { ...shipment, state: change.next.state, facts: change.next.facts }
    })
    return [told, `${event.type} of ${to}`, changes.map(({ uid, next }) => `${uid} \`${next.state}\``).join(', ')]
  })
  return table(['what happens', 'event', 'in one transaction'], rows)
}
