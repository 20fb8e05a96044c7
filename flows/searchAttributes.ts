/**
 * Search attributes of a flow in Temporal's visibility. A store on SQL has room for three KeywordList and
 * three Bool attributes in all, so lists are used for shipments only.
 */
export const searchAttributes = {
  caseNo: { name: 'LockerflowCase', type: 'Keyword' },
  flow: { name: 'LockerflowFlow', type: 'Keyword' },
  state: { name: 'LockerflowState', type: 'Keyword' },
  stage: { name: 'LockerflowStage', type: 'Keyword' },
  pickUpPoint: { name: 'LockerflowPickUpPoint', type: 'Keyword' },
  user: { name: 'LockerflowUser', type: 'Keyword' },
  shipments: { name: 'LockerflowShipments', type: 'KeywordList' },
  overdue: { name: 'LockerflowOverdue', type: 'Bool' },
} as const

const ends = "('Completed', 'Failed', 'Canceled', 'Terminated', 'ContinuedAsNew', 'TimedOut')"

/** Runs that have ended, in the language of Temporal's visibility. */
export const isClosedRun = `ExecutionStatus IN ${ends}`

/** Runs that have not ended, paused ones included: servers before 1.30 do not know the status `Paused`. */
export const isOpenRun = `ExecutionStatus NOT IN ${ends}`
