import type { FlowProgress } from '../../workflows/progress.ts'

/** The fields of the progress that a recorded history depends on: it does not replay when one of them is renamed. */
export const recordedFields = [
  'plan',
  'step',
  'entered',
  'deadline',
  'nextPoll',
  'overdue',
  'shipments',
  'bookings',
  'outputs',
  'answered',
  'undo',
  'rejections',
  'notificationCount',
] as const satisfies (keyof FlowProgress)[]

export type RecordedField = (typeof recordedFields)[number]
