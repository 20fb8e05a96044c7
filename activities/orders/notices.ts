import type { Notice } from '#contract/terms'
import type { PlannedNotices } from './plan.ts'

/** The argument of the workflow `notice`, and of its activity. */
export interface NoticeOrder extends Pick<PlannedNotices, 'patience'> {
  /** The `webhook-id`: the same for every attempt, another one for every notice. */
  id: string
  notice: Notice
}
