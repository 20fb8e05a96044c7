import { lockers, lockersAt } from '../model/lockers.ts'
import type { Account, Model, Name, Shipment, Sides } from '../model/model.ts'
import { isActive } from '../model/states.ts'
import { managedBy, manages } from '../model/who.ts'
import { topology } from '../places.ts'
import type { Dice } from './dice.ts'

/** The knowledge of a caller that chooses its next request. */
export interface View {
  readonly dice: Dice
  readonly model: Model
  readonly tenant: string
}

export const unknownName = 'nobody'

/** Mostly a shipment of the caller that suits the operation; sometimes any of the caller's, a foreign one or an unknown name. */
export function aShipment({ dice, model, tenant }: View, apt: (one: Shipment) => boolean = () => true): Name {
  const own = model.shipments.filter(one => one.tenant === tenant)
  const best = own.filter(one => isActive(one) && apt(one))
  // The newest first, because short sequences have few others.
  const usual = (best.length > 0 ? best : own).toReversed()
  const foreign = model.shipments.filter(one => one.tenant !== tenant)
  if (dice.oneIn(30)) return unknownName
  return dice.oneOf(dice.oneIn(12) ? own : dice.oneIn(12) ? foreign : usual)?.name ?? unknownName
}

/** An account of any tenant; sometimes an unknown name. */
export function aUser({ dice, model }: View): Name {
  return (dice.oneIn(20) ? undefined : dice.oneOf(model.accounts)?.name) ?? unknownName
}

/** Mostly an account that the caller manages; sometimes a foreign one or an unknown name. */
export function anAccount({ dice, model, tenant }: View, apt: (one: Account) => boolean = () => true): Name {
  const [own = [], foreign = []] = [true, false].map(wanted =>
    model.accounts.filter(one => manages(tenant, one) === wanted),
  )
  const best = own.filter(apt)
  const usual = best.length > 0 ? best : own
  return dice.oneOf(dice.oneOf([usual, usual, usual, usual, own, foreign]))?.name ?? unknownName
}

/** Mostly a pick up point of the caller; sometimes a foreign one or an unknown uid. */
export function aPoint({ dice, tenant }: View): string {
  const own = managedBy(tenant).map(({ pupUid }) => pupUid)
  if (dice.oneIn(30)) return unknownName
  const all = topology.pickUpPoints.map(({ pupUid }) => pupUid)
  return dice.oneOf(dice.oneIn(20) ? all : own) ?? unknownName
}

/** Mostly undefined or null, which leave the choice to the service. */
export function aLockerUid({ dice }: View, pupUid: string): string | null | undefined {
  const here = lockersAt(pupUid).map(({ lockerUid }) => lockerUid)
  const anywhere = lockers.map(({ lockerUid }) => lockerUid)
  if (dice.oneIn(20)) return dice.oneOf([...anywhere, unknownName])
  return dice.oneIn(5) ? dice.oneOf(here) : dice.oneOf([undefined, null])
}

const items: readonly Sides[] = [
  ...Array<Sides>(6).fill({ width: 5, height: 5, length: 5 }),
  { width: 30, height: 10, length: 20 },
  { width: 1, height: 35, length: 1 },
  { width: 20, height: 30, length: 40 },
  { width: 10, height: 20, length: 30.5 },
  { width: 40, height: 40, length: 40 },
  { width: 1, height: 1, length: 41 },
]

export const anItem = ({ dice }: View): Sides => dice.oneOf(items) ?? { width: 1, height: 1, length: 1 }

/** The usual value of a flag, or in a quarter of the cases its opposite. */
export const mostly = ({ dice }: View, usual: boolean): boolean => (dice.oneIn(4) ? !usual : usual)

/** One of two texts, null or undefined. */
export function aText({ dice }: View, word: string): string | null | undefined {
  return dice.oneOf([undefined, null, `${word} 1`, `${word} 2`])
}

export function details(view: View) {
  if (view.dice.oneIn(3)) return undefined
  return { ReferenceNo: aText(view, 'no'), ReferenceCaseNo: aText(view, 'case'), Description: aText(view, 'text') }
}
