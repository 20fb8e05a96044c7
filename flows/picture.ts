import type { Cause } from './edges.ts'
import type { PlannedStep } from './kinds/index.ts'

/** A run as a list of its steps, for pictures. Moments are ISO 8601 in UTC. It contains no personal data. */
export interface FlowPicture {
  flow: string
  caseNo: string
  summary: string
  /** The outcome of an ended flow, or `failed`, even while it cleans up. */
  outcome: string | null
  overdue: boolean
  /** The end of the current step; null for a step without one. */
  until: string | null
  steps: PictureStep[]
}

export interface PictureStep {
  name: string
  kind: PlannedStep['kind']
  summary: string
  state: 'done' | 'leftOut' | 'current' | 'ahead'
  since: string | null
  left: string | null
  cause: Cause | null
  /** The name of the step that came after it, or `end`. */
  next: string | null
  /** Its window in a few words; null without one. */
  window: string | null
  /** How many blocks it is in. Absent outside of them. */
  depth?: number
  /** Of a loop that runs: the items or rounds that have ended, and those that there can be. */
  progress?: { ended: number; of: number }
}
