import { applyToLinked, type LinkedShipment, type ShipmentEvent } from '#contract/machines'
import { table } from './markdown.ts'

/** An event of one of the linked shipments. */
interface Step {
  readonly to: string
  readonly event: ShipmentEvent
  readonly meaning: string
}

/** Linked shipments and a sequence of events. */
interface Example {
  readonly title: string
  readonly shipments: readonly LinkedShipment[]
  readonly steps: readonly Step[]
}

const named = { context: { receiver: true, keepBooked: false, stock: false }, collectOnly: false }
const unnamed = { context: { receiver: false, keepBooked: false, stock: true }, collectOnly: false }

const examples: readonly Example[] = [
  {
    title: 'A swap',
    shipments: [
      { uid: 'issue', state: 'ReadyForDropOff', ...named, prior: null },
      { uid: 'intake', state: 'WaitForPriorShipment', ...named, prior: { link: 'swap', uid: 'issue' } },
    ],
    steps: [
      { to: 'issue', event: { type: 'dropOff' }, meaning: 'the new item is dropped off' },
      { to: 'intake', event: { type: 'dropOff' }, meaning: 'the common code opens the locker' },
      { to: 'intake', event: { type: 'pickUp' }, meaning: 'the old item is collected' },
    ],
  },
  {
    title: 'A loan',
    shipments: [
      { uid: 'issue', state: 'ReadyForPickup', ...named, prior: null },
      { uid: 'intake', state: 'WaitForPriorShipment', ...named, prior: { link: 'subsequent', uid: 'issue' } },
      { uid: 'stock', state: 'WaitForPriorShipment', ...unnamed, prior: { link: 'circular', uid: 'intake' } },
    ],
    steps: [
      { to: 'issue', event: { type: 'pickUp' }, meaning: 'the user takes the item out' },
      { to: 'intake', event: { type: 'dropOff' }, meaning: 'the user brings it back' },
    ],
  },
  {
    title: 'A loan that is cancelled',
    shipments: [
      { uid: 'issue', state: 'ReadyForPickup', ...named, prior: null },
      { uid: 'intake', state: 'WaitForPriorShipment', ...named, prior: { link: 'subsequent', uid: 'issue' } },
      { uid: 'stock', state: 'WaitForPriorShipment', ...unnamed, prior: { link: 'circular', uid: 'intake' } },
    ],
    steps: [{ to: 'issue', event: { type: 'cancel' }, meaning: 'the issue is cancelled' }],
  },
]

/** Each link as a picture, with the transitions that the machines make for a sequence of events. */
export function linksSection(): string {
  return examples.flatMap(example => [`### ${example.title}`, picture(example), played(example)]).join('\n\n')
}

function picture({ shipments }: Example): string {
  const arrows = shipments.flatMap(({ uid, prior }) =>
    prior === null ? [] : [`  ${prior.uid} -->|${prior.link}| ${uid}`],
  )
  return ['```mermaid', 'flowchart LR', ...arrows, '```'].join('\n')
}

function played({ shipments, steps }: Example): string {
  let now = [...shipments]
  const rows = steps.map(({ to, event, meaning }) => {
    const result = applyToLinked(now, to, event)
    const changes = result.accepted ? result.changes : []
    now = now.map(shipment => {
      const change = changes.find(({ uid }) => uid === shipment.uid)
      return change === undefined ? shipment : { ...shipment, state: change.next.state, context: change.next.context }
    })
    return [meaning, `${event.type} of ${to}`, changes.map(({ uid, next }) => `${uid} \`${next.state}\``).join(', ')]
  })
  return table(['action', 'event', 'in one transaction'], rows)
}
