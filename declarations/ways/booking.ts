import type { StateCode } from '#contract/terms'
import { existingShipment } from '#flows'
import type { BookStep } from '#flows/declaration'
import { initialStateAfter, type LinkedShipment } from '#machines'
import { rolesOfStep } from '../model/operations.ts'
import { applyEvent } from './joint.ts'

/** Stock may be issued before it has arrived. */
const existingStates: readonly StateCode[] = ['ReadyForPickup', 'ReadyForDropOff', 'WaitForPriorShipment']

export interface BookingStart {
  readonly step: BookStep
  /** The uid of the shipment of an earlier booking that this one issues or follows. */
  readonly prior: string | undefined
  readonly hasExisting: boolean
  readonly keepBooked: boolean
  /** True if this field of the request is true. */
  isSet(field: string): boolean
}

/** Every joint state in which a booking can leave its shipments and those before it. */
export function bookInto(before: readonly LinkedShipment[], start: BookingStart): (readonly LinkedShipment[])[] {
  const { step, prior, hasExisting, keepBooked, isSet } = start
  const foreign = `${existingShipment} of ${step.name}`
  const roles = rolesOfStep(step)
  const followsForeign =
    hasExisting && prior === undefined && roles.some(([, { link }]) => link?.to === existingShipment)
  const groups = followsForeign
    ? existingStates.map(state => [...before, toShipment(foreign, state, { receiver: true })])
    : [before]
  return roles.reduce<(readonly LinkedShipment[])[]>(
    (groups, [name, { initialState, existing, link, withoutReceiver }]) =>
      groups.flatMap((group): (readonly LinkedShipment[])[] => {
        if (existing) {
          if (prior === undefined)
            return existingStates.map(state => [...group, toShipment(name, state, { receiver: true })])
          const issued = applyEvent(group, prior, { type: 'issueFromStock' })
          return issued ? [issued] : []
        }
        const receiver = !(withoutReceiver === true || (withoutReceiver !== undefined && isSet(withoutReceiver)))
        const uid = link && toUid(link.to)
        const leader = group.find(shipment => shipment.uid === uid)
        const state = link && leader ? initialStateAfter(link.by, leader.state) : initialState
        const shipment = toShipment(name, state, { receiver, keepBooked })
        const isCollection = step.book.startsWith('CreateCollectOnly')
        const linked = link && leader ? { link: link.by, uid: leader.uid } : null
        return [[...group, { ...shipment, collectOnly: isCollection, prior: linked }]]
      }),
    groups,
  )

  function toUid(role: string): string {
    if (role === existingShipment) return prior ?? foreign
    const isIssued = roles.some(([name, { existing }]) => name === role && existing)
    return isIssued && prior !== undefined ? prior : role
  }
}

function toShipment(
  uid: string,
  state: StateCode,
  { receiver, keepBooked = false }: { receiver: boolean; keepBooked?: boolean },
): LinkedShipment {
  return { uid, state, context: { receiver, keepBooked, stock: !receiver }, collectOnly: false, prior: null }
}
