import type { Duration } from '#contract/terms'
import type { BookingOperation } from '../../bookings.ts'
import type { CommonStep, OnError } from '../../declaration/common.ts'
import type { Source } from '../../declaration/sources.ts'
import type { PlannedCommon, PlannedRole } from '../planned.ts'

/** Books shipments with one create operation. The operation's roles are in `bookings`. */
export interface BookStep extends CommonStep {
  readonly book: BookingOperation
  /** Absent: the flow's input, for the first step that books or calls. */
  readonly request?: Source
  /** Other names for roles, for a flow that books twice. */
  readonly as?: Readonly<Record<string, string>>
  /** How long faults are retried before the booking fails. Default 1h, at most 12h: services forget keys after a day. */
  readonly window?: Duration
  readonly onError?: OnError
}

export interface PlannedBook extends PlannedCommon {
  kind: 'book'
  operation: string
  /** `{ value }` once it is resolved and checked. */
  request: Source
  /** In the order of the operation's response, with the names of this flow. */
  roles: PlannedRole[]
  window: number
  onError?: OnError
}
