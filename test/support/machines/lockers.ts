import {
  applyToLinked,
  canBeFollowed,
  initialStateAfter,
  type LinkedChange,
  type LinkedResult,
  type LinkedShipment,
  type ShipmentEvent,
} from '#contract/machines'
import type { Link, StateCode } from '#contract/terms'

/** A shipment of the model, with its locker and codes, which the machine does not have. */
export interface ModelShipment extends LinkedShipment {
  readonly locker: number
  readonly codes: { readonly pickUp: number; readonly delivery: number } | null
}

/** One step of the model. `changes` are in order, and empty if the operation was rejected. */
export interface Step {
  readonly before: ReadonlyMap<string, ModelShipment>
  readonly after: ReadonlyMap<string, ModelShipment>
  readonly changes: readonly LinkedChange[]
}

const issue = { receiver: true, keepBooked: false, stock: false }
const intake = issue
const stock = { receiver: false, keepBooked: false, stock: true }

type Make = Pick<LinkedShipment, 'context'> & Partial<Pick<LinkedShipment, 'state' | 'collectOnly'>>

/** Lockers with shipments, created and changed by the rules of the service's operations. */
export class Lockers {
  #shipments = new Map<string, ModelShipment>()
  #changes: LinkedChange[] = []
  #count = 0

  get shipments(): readonly ModelShipment[] {
    return [...this.#shipments.values()]
  }

  /** Runs an operation on a shipment. Creating a shipment without a link uses a new locker. */
  step(operation: Operation, uid: string): Step {
    const before = new Map(this.#shipments)
    this.#changes = []
    operations[operation](this, uid)
    return { before, after: this.#shipments, changes: this.#changes }
  }

  /** The result of an event, without applying it. */
  preview(uid: string, event: ShipmentEvent): LinkedResult {
    return applyToLinked(this.shipments, uid, event)
  }

  event(uid: string, event: ShipmentEvent): boolean {
    const result = this.preview(uid, event)
    if (!result.accepted) return false
    for (const { uid: changed, next } of result.changes) {
      const shipment = this.#get(changed)
      const ended = next.state === 'Completed' || next.state === 'Cancelled'
      this.#shipments.set(changed, { ...shipment, ...next, codes: ended ? null : shipment.codes })
    }
    this.#changes.push(...result.changes)
    return true
  }

  issueFromStock(uid: string): boolean {
    if (!this.event(uid, { type: 'issueFromStock' })) return false
    const pickUp = this.#count++
    for (const shipment of this.shipments) {
      if (shipment.codes === null) continue
      if (shipment.uid === uid) this.#shipments.set(uid, { ...shipment, codes: { ...shipment.codes, pickUp } })
      if (shipment.prior?.link === 'swap' && shipment.prior.uid === uid) {
        this.#shipments.set(shipment.uid, { ...shipment, codes: { ...shipment.codes, delivery: pickUp } })
      }
    }
    return true
  }

  book({ context, state = 'ReadyForDropOff', collectOnly = false }: Make): string {
    const uid = `${this.#count++}`
    const codes = { pickUp: this.#count++, delivery: this.#count++ }
    this.#shipments.set(uid, { uid, state, context, collectOnly, prior: null, locker: this.#count++, codes })
    return uid
  }

  bookAfter(prior: string, link: Link, { context }: Make): string | undefined {
    if (!canBeFollowed(this.shipments, prior)) return undefined
    const { state, locker, codes } = this.#get(prior)
    if (codes === null) throw new Error(`${prior} is active and has no codes`)
    const uid = `${this.#count++}`
    this.#shipments.set(uid, {
      uid,
      state: initialStateAfter(link, state),
      context,
      collectOnly: false,
      prior: { link, uid: prior },
      locker,
      codes: { pickUp: this.#count++, delivery: link === 'swap' ? codes.pickUp : this.#count++ },
    })
    return uid
  }

  #get(uid: string): ModelShipment {
    const shipment = this.#shipments.get(uid)
    if (shipment === undefined) throw new Error(`no shipment ${uid}`)
    return shipment
  }
}

const collected: StateCode = 'ReadyForPickup'

const operations = {
  issue: lockers => lockers.book({ context: issue }),
  stock: lockers => lockers.book({ context: stock }),
  intake: lockers => lockers.book({ context: intake }),
  collectOnly: lockers => lockers.book({ context: issue, state: collected, collectOnly: true }),
  collectAgain: lockers =>
    lockers.book({ context: { ...issue, keepBooked: true }, state: collected, collectOnly: true }),
  issueAndSwapIntake: lockers => lockers.bookAfter(lockers.book({ context: issue }), 'swap', { context: intake }),
  intakeAndCircularStock: lockers =>
    lockers.bookAfter(lockers.book({ context: intake }), 'circular', { context: stock }),
  stockAfterSwapIntake: (lockers, uid) => lockers.bookAfter(uid, 'swap', { context: stock }),
  issueFromStock: (lockers, uid) => lockers.issueFromStock(uid),
  issueFromStockAndSwapIntake(lockers, uid) {
    // Checks first, because a refusal must not issue the shipment.
    if (canBeFollowed(lockers.shipments, uid) && lockers.issueFromStock(uid)) {
      lockers.bookAfter(uid, 'swap', { context: intake })
    }
  },
  issueFromStockAndBack(lockers, uid) {
    if (!canBeFollowed(lockers.shipments, uid) || !lockers.issueFromStock(uid)) return
    const back = lockers.bookAfter(uid, 'subsequent', { context: intake })
    if (back !== undefined) lockers.bookAfter(back, 'circular', { context: stock })
  },
  setReceiver: (lockers, uid) => lockers.event(uid, { type: 'setReceiver' }),
  removeReceiver: (lockers, uid) => lockers.event(uid, { type: 'removeReceiver' }),
  dropOff: (lockers, uid) => lockers.event(uid, { type: 'dropOff' }),
  pickUp: (lockers, uid) => lockers.event(uid, { type: 'pickUp' }),
  cancel: (lockers, uid) => lockers.event(uid, { type: 'cancel' }),
} satisfies Record<string, (lockers: Lockers, uid: string) => unknown>

export type Operation = keyof typeof operations

export const operationNames = Object.keys(operations) as Operation[]
