// The two hand-written workflows as data, for the minimal baseline and the one with visibility.
import type { FlowActivities } from '#activities/interface'
import type { PlannedRole } from '#flows'

export interface BareActivities extends Pick<FlowActivities, 'bookShipments'> {
  inspect(input: { readonly device: string }): Promise<{ report: string }>
}

/** The input of the hand-written workflows. The request is complete, including the case number. */
export interface BareInput {
  caseNo: string
  request: Record<string, unknown>
}

/** A stage, the role, and the state of its shipment that the workflow waits for. */
export type Awaited = readonly [stage: string, role: string, stateCode: string]

/** A stage that runs the activity `inspect`, or one that waits for an answer. */
export type OwnStage = readonly [stage: string, kind: 'inspect' | 'answer']

export interface BareBooking {
  readonly operation: string
  readonly roles: PlannedRole[]
  readonly stages: readonly (Awaited | OwnStage)[]
}

export const profile = { reads: true, readsByCase: true, idempotent: true, standardWebhooks: true }

export const issueBooking: BareBooking = {
  operation: 'CreateLocalShipmentAsIssue',
  roles: [{ name: 'issue', initialState: 'ReadyForDropOff', existing: false, link: null }],
  stages: [
    ['dropOff', 'issue', 'ReadyForPickup'],
    ['pickUp', 'issue', 'Completed'],
  ],
}

export const inspectedBooking: BareBooking = {
  ...issueBooking,
  stages: [
    ['dropOff', 'issue', 'ReadyForPickup'],
    ['inspect', 'inspect'],
    ['offer', 'answer'],
    ['pickUp', 'issue', 'Completed'],
  ],
}

export const loanBooking: BareBooking = {
  operation: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
  roles: [
    { name: 'issue', initialState: 'ReadyForPickup', existing: true, link: null },
    { name: 'intake', initialState: 'WaitForPriorShipment', existing: false, link: { by: 'subsequent', to: 'issue' } },
    { name: 'stock', initialState: 'WaitForPriorShipment', existing: false, link: { by: 'circular', to: 'intake' } },
  ],
  stages: [
    ['pickUp', 'issue', 'Completed'],
    ['return', 'intake', 'Completed'],
    ['restocked', 'stock', 'ReadyForPickup'],
  ],
}

/** The booking of each of the three branches, and its stages. */
export const branchBooking: BareBooking = { ...issueBooking, stages: [['taken', 'issue', 'Completed']] }

export const branchNames = ['a', 'b', 'c'] as const
