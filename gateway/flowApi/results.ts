import { z } from 'zod'
import { fields, flowResult, flowStatus, leftOver, moment, shipment, state } from './statusSchema.ts'

// The results of the flow client as schemas, one for each kind. A test compares them with the types of the client.

/** The outcome of a cancellation, whose flow may have failed before. */
const lastOutcome = z.enum(['completed', 'cancelled', 'expired', 'failed'])

const listedCase = z
  .object({
    caseNo: z.string(),
    runId: z.string(),
    flow: z.string(),
    state,
    steps: z.array(z.string()),
    overdue: z.boolean(),
    outcome: lastOutcome.nullable(),
    leftOver: z.boolean(),
    user: z.string().nullable(),
    pickUpPoint: z.string().nullable(),
    shipmentUids: z.array(z.string()),
    startedAt: moment,
    endedAt: moment.nullable(),
    failed: z.boolean(),
  })
  .meta({ id: 'ListedCase' })

const missingResponse = z.enum([
  ...(['NoWorkerPolls', 'FlowPaused', 'NoResponseInTime', 'TemporalUnreachable', 'TemporalDenied'] as const),
  ...(['TemporalLimitReached', 'TemporalFailed'] as const),
])
const pendingReason = z.enum([...missingResponse.options, 'BookingPending'])
const pending = { caseNo: z.string(), code: pendingReason, message: z.string() }
const cursor = z.string()

function kind<const Kind extends string, Shape extends z.ZodRawShape>(name: Kind, shape: Shape) {
  return z.object({ kind: z.literal(name), ...shape })
}

/** The schema of each kind of result, without the fields that HTTP adds to a problem. */
export const resultSchemas = {
  Started: kind('Started', { caseNo: z.string(), runId: z.string(), isNew: z.boolean() }),
  Booked: kind('Booked', { flow: z.string(), caseNo: z.string(), shipments: z.array(shipment) }),
  BookingPending: kind('BookingPending', pending),
  CaseInUse: kind('CaseInUse', { caseNo: z.string(), code: z.literal('CaseInUse'), message: z.string() }),
  CaseFinished: kind('CaseFinished', { result: flowResult }),
  Refused: kind('Refused', {
    code: z.string(),
    message: z.string(),
    serviceRequestId: z.string().exactOptional(),
    leftOver: z.array(leftOver).exactOptional(),
  }),
  UnknownCase: kind('UnknownCase', { caseNo: z.string(), code: z.literal('UnknownCase'), message: z.string() }),
  Ended: kind('Ended', { result: flowResult }),
  EndPending: kind('EndPending', pending),
  Cancelled: kind('Cancelled', { outcome: lastOutcome, leftOver: z.array(leftOver) }),
  CancelPending: kind('CancelPending', pending),
  Decided: kind('Decided', { status: flowStatus }),
  Answered: kind('Answered', {
    step: z.string(),
    answer: z.string(),
    fields,
    by: z.string().nullable(),
    answeredAt: moment,
  }),
  Status: kind('Status', { status: flowStatus }),
  Listed: kind('Listed', { cases: z.array(listedCase), cursor: cursor.nullable() }),
  Stage: kind('Stage', {
    stage: z.string().nullable(),
    state: z.enum(['booking', 'waiting', 'cleaningUp', 'ended']),
    deadline: moment.nullable(),
    cursor,
  }),
  Shipment: kind('Shipment', { shipment, cursor }),
  Overdue: kind('Overdue', {
    overdue: z.boolean(),
    overdueSince: moment.nullable(),
    stage: z.string().nullable(),
    deadline: moment.nullable(),
    cursor,
  }),
  Interrupted: kind('Interrupted', { caseNo: z.string(), code: missingResponse, message: z.string() }),
} as const

export type ResultKind = keyof typeof resultSchemas

/** The HTTP status of each kind. From 400 on, the body is a problem with the fields of the result. */
export const statusByKind = {
  Started: 202,
  Booked: 200,
  BookingPending: 202,
  CaseInUse: 409,
  CaseFinished: 200,
  Refused: 422,
  UnknownCase: 404,
  Ended: 200,
  EndPending: 202,
  Cancelled: 200,
  CancelPending: 202,
  Decided: 200,
  Answered: 200,
  Status: 200,
  Listed: 200,
  Stage: 200,
  Shipment: 200,
  Overdue: 200,
  Interrupted: 200,
} as const satisfies Record<ResultKind, number>
