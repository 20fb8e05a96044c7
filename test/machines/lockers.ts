import type { StateCode } from '#contract/terms'
import {
  canBeFollowed,
  firstStateAfter,
  type Happened,
  happen,
  type Link,
  type LinkedChange,
  type LinkedShipment,
  type ShipmentEvent,
} from '#machines'

/** A shipment of the model, with what the rules do not know of: its locker and its codes. */
export interface Held extends LinkedShipment {
  readonly locker: number
  readonly codes: { readonly pickUp: number; readonly delivery: number } | null
}

/** One step of the model: the shipments before and after, and what changed in which order; nothing when refused. */
export interface Step {
  readonly before: ReadonlyMap<string, Held>
  readonly after: ReadonlyMap<string, Held>
  readonly changes: readonly LinkedChange[]
}

const issue = { receiver: true, kept: false, stock: false }
const intake = issue
const stock = { receiver: false, kept: false, stock: true }

type Make = Pick<LinkedShipment, 'facts'> & Partial<Pick<LinkedShipment, 'state' | 'collectOnly'>>

/** Lockers, on which shipments are made as the operations make them and live by the rules. */
export class Lockers {
  #held = new Map<string, Held>()
  #changes: LinkedChange[] = []
  #count = 0

  get shipments(): readonly Held[] {
    return [...this.#held.values()]
  }

  /** Does what an operation does on a shipment, or at a new locker. */
  step(operation: Operation, uid: string): Step {
    const before = new Map(this.#held)
    this.#changes = []
    operations[operation](this, uid)
    return { before, after: this.#held, changes: this.#changes }
  }

  /** What an event would make of all of them. */
  happened(uid: string, event: ShipmentEvent): Happened {
    return happen(this.shipments, uid, event)
  }

  event(uid: string, event: ShipmentEvent): boolean {
    const happened = this.happened(uid, event)
    if (!happened.accepted) return false
    for (const { uid: changed, next } of happened.changes) {
      const held = this.#get(changed)
      const ended = next.state === 'Completed' || next.state === 'Cancelled'
      this.#held.set(changed, { ...held, ...next, codes: ended ? null : held.codes })
    }
    this.#changes.push(...happened.changes)
    return true
  }

  issueFromStock(uid: string): boolean {
    if (!this.event(uid, { type: 'issueFromStock' })) return false
    const pickUp = this.#count++
    for (const held of this.shipments) {
      if (held.codes === null) continue
      if (held.uid === uid) this.#held.set(uid, { ...held, codes: { ...held.codes, pickUp } })
      if (held.after?.link === 'swap' && held.after.uid === uid) {
        this.#held.set(held.uid, { ...held, codes: { ...held.codes, delivery: pickUp } })
      }
    }
    return true
  }

  book({ facts, state = 'ReadyForDropOff', collectOnly = false }: Make): string {
    const uid = `${this.#count++}`
    const codes = { pickUp: this.#count++, delivery: this.#count++ }
    this.#held.set(uid, { uid, state, facts, collectOnly, after: null, locker: this.#count++, codes })
    return uid
  }

  bookAfter(prior: string, link: Link, { facts }: Make): string | undefined {
    if (!canBeFollowed(this.shipments, prior)) return undefined
    const { state, locker, codes } = this.#get(prior)
    if (codes === null) throw new Error(`${prior} is active and has no codes`)
    const uid = `${this.#count++}`
    this.#held.set(uid, {
      uid,
      state: firstStateAfter(link, state),
      facts,
      collectOnly: false,
      after: { link, uid: prior },
      locker,
      codes: { pickUp: this.#count++, delivery: link === 'swap' ? codes.pickUp : this.#count++ },
    })
    return uid
  }

  #get(uid: string): Held {
    const held = this.#held.get(uid)
    if (held === undefined) throw new Error(`there is no shipment ${uid}`)
    return held
  }
}

const collected: StateCode = 'ReadyForPickup'

const operations = {
  issue: lockers => lockers.book({ facts: issue }),
  stock: lockers => lockers.book({ facts: stock }),
  intake: lockers => lockers.book({ facts: intake }),
  collectOnly: lockers => lockers.book({ facts: issue, state: collected, collectOnly: true }),
  collectAgain: lockers => lockers.book({ facts: { ...issue, kept: true }, state: collected, collectOnly: true }),
  issueAndSwapIntake: lockers => lockers.bookAfter(lockers.book({ facts: issue }), 'swap', { facts: intake }),
  intakeAndCircularStock: lockers => lockers.bookAfter(lockers.book({ facts: intake }), 'circular', { facts: stock }),
  stockAfterSwapIntake: (lockers, uid) => lockers.bookAfter(uid, 'swap', { facts: stock }),
  issueFromStock: (lockers, uid) => lockers.issueFromStock(uid),
  issueFromStockAndSwapIntake(lockers, uid) {
    // Refused as a whole: the state is looked at before anything is done.
    if (canBeFollowed(lockers.shipments, uid) && lockers.issueFromStock(uid)) {
      lockers.bookAfter(uid, 'swap', { facts: intake })
    }
  },
  issueFromStockAndBack(lockers, uid) {
    if (!canBeFollowed(lockers.shipments, uid) || !lockers.issueFromStock(uid)) return
    const back = lockers.bookAfter(uid, 'subsequent', { facts: intake })
    if (back !== undefined) lockers.bookAfter(back, 'circular', { facts: stock })
  },
  setReceiver: (lockers, uid) => lockers.event(uid, { type: 'setReceiver' }),
  removeReceiver: (lockers, uid) => lockers.event(uid, { type: 'removeReceiver' }),
  dropOff: (lockers, uid) => lockers.event(uid, { type: 'dropOff' }),
  pickUp: (lockers, uid) => lockers.event(uid, { type: 'pickUp' }),
  cancel: (lockers, uid) => lockers.event(uid, { type: 'cancel' }),
} satisfies Record<string, (lockers: Lockers, uid: string) => unknown>

export type Operation = keyof typeof operations

export const operationNames = Object.keys(operations) as Operation[]
