import type { FlowShipment, FlowState, FlowStatus } from '#flows'

/** The flow came to another stage, or to another phase: it books, waits, cleans up or has ended. */
export interface StageChange {
  readonly kind: 'Stage'
  readonly stage: string | null
  readonly state: Exclude<FlowState, 'overdue'>
  /** ISO 8601 in UTC; null without a window. */
  readonly deadline: string | null
  /** Give it to `watch` as `after` to continue after this change. It contains no personal data. */
  readonly cursor: string
}

/** A shipment was booked, or its state changed. */
export interface ShipmentChange {
  readonly kind: 'Shipment'
  readonly shipment: FlowShipment
  readonly cursor: string
}

/** The window of the stage has passed, once more after each reminder; or the flow is no longer overdue. */
export interface OverdueChange {
  readonly kind: 'Overdue'
  readonly overdue: boolean
  /** The moment at which the window first passed; null with `overdue: false`. */
  readonly overdueSince: string | null
  readonly stage: string | null
  /** The moment of the next reminder; null if a person has to decide. With `overdue: false` the end of the window. */
  readonly deadline: string | null
  readonly cursor: string
}

/** A change of a flow that a watcher receives. */
export type Change = StageChange | ShipmentChange | OverdueChange

/** The part of a flow's state that a watcher has received. A cursor is this in base64url. */
export interface Seen {
  readonly state: string
  readonly stage: string | null
  /** The deadline of the overdue stage, or an empty text without one; null for a flow that is not overdue. */
  readonly overdue: string | null
  /** The state of each shipment, by its uid. */
  readonly shipments: Readonly<Record<string, string>>
}

/** Before the first status: every stage and every shipment is new. */
export const nothingSeen: Seen = { state: '', stage: null, overdue: null, shipments: {} }

/** The changes since a moment: shipments, then the stage, then whether it is overdue. */
export function changesSince(seen: Seen, status: FlowStatus): Change[] {
  const shipments = shipmentChanges(seen, status.shipments)
  const { stage, overdue, overdueSince, deadline } = status
  const state = status.state === 'overdue' ? 'waiting' : status.state
  let now: Seen = { ...seen, shipments: { ...seen.shipments, ...statesOf(status.shipments) } }
  const changes: Change[] = []
  const note = (more: Partial<Seen>) => {
    now = { ...now, ...more }
    return writeCursor(now)
  }
  if (state !== seen.state || stage !== seen.stage) {
    // A window belongs to its stage, so another stage begins without an expired one.
    changes.push({ kind: 'Stage', stage, state, deadline, cursor: note({ state, stage, overdue: null }) })
  }
  const passed = overdue ? (deadline ?? '') : null
  if (passed !== now.overdue) {
    changes.push({ kind: 'Overdue', overdue, overdueSince, stage, deadline, cursor: note({ overdue: passed }) })
  }
  return [...shipments, ...changes]
}

/** The shipments that are new or have another state. */
export function shipmentChanges(seen: Seen, shipments: readonly FlowShipment[]): ShipmentChange[] {
  const states = { ...seen.shipments }
  const changed = shipments.filter(({ shipmentUid, stateCode }) => states[shipmentUid] !== stateCode)
  return changed.map(shipment => {
    states[shipment.shipmentUid] = shipment.stateCode
    return { kind: 'Shipment', shipment, cursor: writeCursor({ ...seen, shipments: states }) }
  })
}

function statesOf(shipments: readonly FlowShipment[]): Record<string, string> {
  return Object.fromEntries(shipments.map(({ shipmentUid, stateCode }) => [shipmentUid, stateCode]))
}

function writeCursor({ state, stage, overdue, shipments }: Seen): string {
  return Buffer.from(JSON.stringify([state, stage, overdue, shipments])).toString('base64url')
}

/** Undefined for a text that is not a cursor. */
export function readCursor(cursor: string): Seen | undefined {
  try {
    const [state, stage, overdue, shipments] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const texts = [state, stage, overdue, ...Object.values(shipments)]
    const isSeen = texts.every(value => value === null || typeof value === 'string')
    return isSeen ? { state, stage, overdue, shipments } : undefined
  } catch {
    return undefined
  }
}
