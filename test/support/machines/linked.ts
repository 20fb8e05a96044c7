import { applyToLinked, type LinkedShipment, type ShipmentEvent } from '#contract/machines'
import type { Link, StateCode } from '#contract/terms'

type Kind = 'issue' | 'intake' | 'stock' | 'collectOnly' | 'kept'

/** A shipment as `kind name state`, with its link after a comma: `intake I ReadyForDropOff, swap S`. */
export type Words = `${Kind} ${string} ${StateCode}` | `${Kind} ${string} ${StateCode}, ${Link} ${string}`

/** Parses shipments. Stock has no receiver, every other kind has one. */
export function linked(words: readonly Words[]): LinkedShipment[] {
  return words.map(text => {
    const [one = '', link = ''] = text.split(', ')
    const [kind, uid = '', state] = one.split(' ')
    const [by, priorUid = ''] = link.split(' ')
    return {
      uid,
      state: state as StateCode,
      context: { receiver: kind !== 'stock', keepBooked: kind === 'kept', stock: kind === 'stock' },
      collectOnly: kind === 'collectOnly' || kind === 'kept',
      prior: by ? { link: by as Link, uid: priorUid } : null,
    }
  })
}

/** A row of a table: an event and its effect on linked shipments. */
export interface Row {
  readonly title: string
  readonly shipments: Words[]
  /** The event and the uid of the shipment. */
  readonly on: `${Exclude<ShipmentEvent['type'], 'priorAdvanced'>} ${string}`
  /** The changes in order; undefined if the event is rejected. */
  readonly changes: string[] | undefined
}

/** An issue in the locker, and the intake that swaps it. */
export const pair: Words[] = ['issue S ReadyForPickup', 'intake I ReadyForDropOff, swap S']
/** The pair, and stock that swaps its intake. */
export const chain: Words[] = [...pair, 'stock W WaitForPriorShipment, swap I']
/** A loan: the item is issued, later returned, and in stock again. */
export const lent: Words[] = [
  'issue S ReadyForPickup',
  'intake I WaitForPriorShipment, subsequent S',
  'stock C WaitForPriorShipment, circular I',
]
/** An intake whose item becomes stock. */
export const returned: Words[] = ['intake I ReadyForDropOff', 'stock C WaitForPriorShipment, circular I']

/** The changes of an event in order, as `name state`; undefined if the event is rejected. */
export function changesOf(shipments: readonly LinkedShipment[], event: ShipmentEvent['type'], uid: string) {
  const result = applyToLinked(shipments, uid, toEvent(event))
  return result.accepted ? result.changes.map(change => `${change.uid} ${change.next.state}`) : undefined
}

function toEvent(type: ShipmentEvent['type']): ShipmentEvent {
  return type === 'priorAdvanced' ? { type, link: 'swap' } : { type }
}

/** The changes of a row's event. */
export function changesIn({ shipments, on }: Row) {
  const [event, uid = ''] = on.split(' ') as [ShipmentEvent['type'], string]
  return changesOf(linked(shipments), event, uid)
}
