import { lockers, lockersAt } from '../model/lockers.ts'
import type { Account, Model, Name, Shipment, Sides } from '../model/model.ts'
import { isActive } from '../model/states.ts'
import { managedBy, manages } from '../model/who.ts'
import { topology } from '../places.ts'
import type { Dice } from './dice.ts'

/** What somebody knows who is about to ask for something. */
export interface View {
  readonly dice: Dice
  readonly model: Model
  readonly tenant: string
}

export const nobody = 'nobody'

/** A shipment of one's own that the operation makes sense for; sometimes any, a foreign one, or none. */
export function aShipment({ dice, model, tenant }: View, apt: (one: Shipment) => boolean = () => true): Name {
  const own = model.shipments.filter(one => one.tenant === tenant)
  const best = own.filter(one => isActive(one) && apt(one))
  // The newest first: it is what a short example has.
  const usual = (best.length > 0 ? best : own).toReversed()
  const foreign = model.shipments.filter(one => one.tenant !== tenant)
  if (dice.oneIn(30)) return nobody
  return dice.oneOf(dice.oneIn(12) ? own : dice.oneIn(12) ? foreign : usual)?.name ?? nobody
}

/** Any account, of any tenant; sometimes none. */
export function aUser({ dice, model }: View): Name {
  return (dice.oneIn(20) ? undefined : dice.oneOf(model.accounts)?.name) ?? nobody
}

/** An account that one manages; sometimes a foreign one, or none. */
export function anAccount({ dice, model, tenant }: View, apt: (one: Account) => boolean = () => true): Name {
  const [own = [], foreign = []] = [true, false].map(wanted =>
    model.accounts.filter(one => manages(tenant, one) === wanted),
  )
  const best = own.filter(apt)
  const usual = best.length > 0 ? best : own
  return dice.oneOf(dice.oneOf([usual, usual, usual, usual, own, foreign]))?.name ?? nobody
}

/** A pick up point of one's own; sometimes a foreign one, or none. */
export function aPoint({ dice, tenant }: View): string {
  const own = managedBy(tenant).map(({ pupUid }) => pupUid)
  if (dice.oneIn(30)) return nobody
  const all = topology.pickUpPoints.map(({ pupUid }) => pupUid)
  return dice.oneOf(dice.oneIn(20) ? all : own) ?? nobody
}

/** Mostly none in particular. */
export function aLockerUid({ dice }: View, pupUid: string): string | null | undefined {
  const here = lockersAt(pupUid).map(({ lockerUid }) => lockerUid)
  const anywhere = lockers.map(({ lockerUid }) => lockerUid)
  if (dice.oneIn(20)) return dice.oneOf([...anywhere, nobody])
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

/** True, or sometimes another value that a flag may have. */
export const mostly = ({ dice }: View, usual: boolean): boolean => (dice.oneIn(4) ? !usual : usual)

/** A text of a shipment, or none. */
export function aText({ dice }: View, word: string): string | null | undefined {
  return dice.oneOf([undefined, null, `${word} 1`, `${word} 2`])
}

export function details(view: View) {
  if (view.dice.oneIn(3)) return undefined
  return { ReferenceNo: aText(view, 'no'), ReferenceCaseNo: aText(view, 'case'), Description: aText(view, 'text') }
}
