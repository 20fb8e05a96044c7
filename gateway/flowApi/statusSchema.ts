import { z } from 'zod'
import { type Cause, type Fields, type Json, kindNames } from '#flows'

// The status of a flow as a schema, with the parts that other results have too.

/** A moment in ISO 8601. A pattern for it would only repeat the format. */
export const moment = z.string().meta({ format: 'date-time' })

// OpenAPI Generator's client in Java with okhttp does not compile with a boolean constant.
const onlyTrue = z.boolean() as unknown as z.ZodType<true>

export const leftOver = z
  .object({
    step: z.string(),
    shipmentUid: z.string().nullable(),
    reason: z.string(),
    pupUid: z.string().exactOptional(),
    lockerName: z.string().exactOptional(),
  })
  .meta({ id: 'LeftOver' })

export const shipment = z
  .object({
    role: z.string(),
    shipmentUid: z.string(),
    stateCode: z.string(),
    pupUid: z.string().nullable(),
    lockerName: z.string().nullable(),
    lockerOutOfService: onlyTrue.exactOptional(),
  })
  .meta({ id: 'FlowShipment' })

const outcome = z.enum(['completed', 'cancelled', 'expired'])

/** The outputs of a flow are further fields. */
export const flowResult = z
  .looseObject({
    flow: z.string(),
    caseNo: z.string(),
    outcome,
    shipments: z.array(shipment),
    leftOver: z.array(leftOver),
  })
  .meta({ id: 'FlowResult' })

const flowFailure = z
  .object({
    code: z.string(),
    message: z.string(),
    serviceRequestId: z.string().exactOptional(),
    leftOver: z.array(leftOver),
  })
  .meta({ id: 'FlowFailure' })

const json = z.unknown() as unknown as z.ZodType<Json>
export const fields = z.record(z.string(), json)

export const state = z.enum(['booking', 'waiting', 'overdue', 'cleaningUp', 'ended'])

// Template literals and recursive types, which are texts and JSON here.
const cause = z.string() as unknown as z.ZodType<Cause>
const questionFields = z.record(z.string(), z.unknown()) as unknown as z.ZodType<Fields>

const pictureStep = z
  .object({
    name: z.string(),
    kind: z.enum(kindNames),
    summary: z.string(),
    state: z.enum(['done', 'leftOut', 'current', 'ahead']),
    since: moment.nullable(),
    left: moment.nullable(),
    cause: cause.nullable(),
    next: z.string().nullable(),
    window: z.string().nullable(),
    depth: z.int().exactOptional(),
    progress: z.object({ ended: z.int(), of: z.int() }).exactOptional(),
  })
  .meta({ id: 'PictureStep' })

const picture = z
  .object({
    flow: z.string(),
    caseNo: z.string(),
    summary: z.string(),
    outcome: z.string().nullable(),
    overdue: z.boolean(),
    until: moment.nullable(),
    steps: z.array(pictureStep),
  })
  .meta({ id: 'FlowPicture' })

const openQuestion = z
  .object({ step: z.string(), answers: z.record(z.string(), questionFields), who: z.string() })
  .meta({ id: 'OpenQuestion' })

const line = z
  .object({
    step: z.string(),
    scope: z.string(),
    since: moment,
    deadline: moment.nullable(),
    overdue: z.boolean(),
    asks: openQuestion.exactOptional(),
  })
  .meta({ id: 'FlowLine' })

const rejection = z.object({ at: moment, what: z.string() }).meta({ id: 'Rejection' })

/** A question that the flow may ask, and the role that answers it. */
const question = z.object({ step: z.string(), who: z.string() }).meta({ id: 'Question' })

export const flowStatus = z
  .object({
    flow: z.string(),
    caseNo: z.string(),
    state,
    stage: z.string().nullable(),
    step: z.string().nullable(),
    asks: openQuestion.nullable(),
    overdue: z.boolean(),
    overdueSince: moment.nullable(),
    since: moment,
    deadline: moment.nullable(),
    shipments: z.array(shipment),
    lines: z.array(line).exactOptional(),
    rejections: z.array(rejection),
    result: flowResult.nullable(),
    failure: flowFailure.nullable(),
    outputs: fields.exactOptional(),
    picture: picture.nullable().exactOptional(),
    questions: z.array(question).exactOptional(),
  })
  .meta({ id: 'FlowStatus' })
