import type { FlowProgress, LockerState } from '../../workflows/progress.ts'
import type { Token } from '../../workflows/tokens.ts'

// The fields of the progress that a recorded history depends on: it does not replay when one of them is renamed.

const progress = ['plan', 'tokens', 'lockers', 'outputs', 'answered', 'undo', 'notificationCount'] as const
const token = ['to', 'step', 'entered', 'deadline', 'overdueSince'] as const
const lockers = ['nextPoll', 'shipments', 'bookings'] as const

/** The names of the fields, by the part of the progress that has them. */
export const recordedFields = { progress, token, lockers } as const satisfies {
  readonly progress: readonly (keyof FlowProgress)[]
  readonly token: readonly (keyof Token)[]
  readonly lockers: readonly (keyof LockerState)[]
}

export type RecordedField = (typeof recordedFields)[keyof typeof recordedFields][number]
