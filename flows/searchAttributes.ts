/**
 * Search attributes of a flow in Temporal's visibility. A store on SQL has room for three KeywordList and
 * three Bool attributes in all: one more of each is free.
 */
export const searchAttributes = {
  caseNo: { name: 'LockerflowCase', type: 'Keyword' },
  flow: { name: 'LockerflowFlow', type: 'Keyword' },
  state: { name: 'LockerflowState', type: 'Keyword' },
  steps: { name: 'LockerflowSteps', type: 'KeywordList' },
  pickUpPoint: { name: 'LockerflowPickUpPoint', type: 'Keyword' },
  user: { name: 'LockerflowUser', type: 'Keyword' },
  shipments: { name: 'LockerflowShipments', type: 'KeywordList' },
  overdue: { name: 'LockerflowOverdue', type: 'Bool' },
  outcome: { name: 'LockerflowOutcome', type: 'Keyword' },
  leftOver: { name: 'LockerflowLeftOver', type: 'Bool' },
} as const

/** Runs that have not ended, in the language of Temporal's visibility. */
export const isOpenRun = "ExecutionStatus IN ('Running', 'Paused')"

/** Runs that have ended. */
export const isClosedRun = "ExecutionStatus NOT IN ('Running', 'Paused')"
