import type { StateCode } from '#contract/terms'
import { happen, type Link, type LinkedShipment, type ShipmentEvent } from '#machines'

type Kind = 'issue' | 'intake' | 'stock' | 'collectOnly' | 'kept'

/** Shipments in words, `kind name state`, and after a comma the link: `intake I ReadyForDropOff, swap S`. */
export type Words = `${Kind} ${string} ${StateCode}` | `${Kind} ${string} ${StateCode}, ${Link} ${string}`

/** The shipments that the words mean; one of stock has no receiver, any other one has. */
export function linked(words: readonly Words[]): LinkedShipment[] {
  return words.map(text => {
    const [one = '', link = ''] = text.split(', ')
    const [kind, uid = '', state] = one.split(' ')
    const [by, prior = ''] = link.split(' ')
    return {
      uid,
      state: state as StateCode,
      facts: { receiver: kind !== 'stock', kept: kind === 'kept', stock: kind === 'stock' },
      collectOnly: kind === 'collectOnly' || kind === 'kept',
      after: by ? { link: by as Link, uid: prior } : null,
    }
  })
}

/** A row of a table of what an event leads to. */
export interface Row {
  readonly what: string
  readonly shipments: Words[]
  /** What happens to which shipment. */
  readonly on: `${Exclude<ShipmentEvent['type'], 'turnComes'>} ${string}`
  /** Every change in its order; undefined when the event is refused. */
  readonly changes: string[] | undefined
}

/** An issue in the locker, and the intake that swaps it. */
export const pair: Words[] = ['issue S ReadyForPickup', 'intake I ReadyForDropOff, swap S']
/** The same, and stock that swaps the intake. */
export const chain: Words[] = [...pair, 'stock W WaitForPriorShipment, swap I']
/** An item that is lent: issued, brought back later, and stock again. */
export const lent: Words[] = [
  'issue S ReadyForPickup',
  'intake I WaitForPriorShipment, subsequent S',
  'stock C WaitForPriorShipment, circular I',
]
/** An intake whose item becomes stock. */
export const returned: Words[] = ['intake I ReadyForDropOff', 'stock C WaitForPriorShipment, circular I']

/** What an event makes of them, as `name state` in order; undefined when it is refused. */
export function changesOf(shipments: readonly LinkedShipment[], event: ShipmentEvent['type'], uid: string) {
  const happened = happen(shipments, uid, eventOf(event))
  return happened.accepted ? happened.changes.map(change => `${change.uid} ${change.next.state}`) : undefined
}

function eventOf(type: ShipmentEvent['type']): ShipmentEvent {
  return type === 'turnComes' ? { type, link: 'swap' } : { type }
}

/** The changes of a row as they are. */
export function changesIn({ shipments, on }: Row) {
  const [event, uid = ''] = on.split(' ') as [ShipmentEvent['type'], string]
  return changesOf(linked(shipments), event, uid)
}
