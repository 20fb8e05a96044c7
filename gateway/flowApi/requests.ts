import { z } from 'zod'
import { mustBeDuration, parseDuration } from '#contract/terms'
import { caseNumber, isCaseNo, maxReason, mustBeCaseNo } from '#flows'

const text = (maxLength: number) =>
  z.string('must be a text').min(1, 'must not be empty').max(maxLength, `must have ${maxLength} characters or fewer`)

const control = String.raw`\u0000-\u001f\u007f-\u009f\ud800-\udfff`
const inside = `[^${control}]`
const atEnd = String.raw`[^\s\ufeff${control}]`
const atEndWithoutDot = String.raw`[^.\s\ufeff${control}]`

/** `isCaseNo` as a pattern, for the document. It has no lookarounds, which Go lacks. */
const pattern = String.raw`^(?:${atEnd}${inside}+${atEnd}|${atEndWithoutDot}${atEnd}?|\.${atEndWithoutDot})$`

const caseNo = z
  .string('must be a text')
  .refine(isCaseNo, mustBeCaseNo)
  .meta({ ...caseNumber, pattern })

/** A text in a query of Temporal, whose store fails on the character NUL as if it were unavailable. */
const filter = (maxLength: number) => text(maxLength).regex(/^[^\0]*$/, 'must not contain the character NUL')

const duration = text(20)

/** An object without other fields, so that a misspelled `windows` is noticed. */
const only = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: issue => (issue.code === 'unrecognized_keys' ? unknownFields(issue.keys) : undefined),
  })

const unknownFields = (keys: readonly string[]) =>
  `unknown ${keys.length === 1 ? 'field' : 'fields'} ${keys.map(key => key.slice(0, 100)).join(', ')}`

/** An integer of at least 1, in digits as text in a query. `Number` reads other forms too, such as 0x10 and 1e1. */
const number = (highest: number, usual: number) => {
  const sentence = `must be a number from 1 to ${highest}`
  const read = (text: unknown) => (/^\d+$/.test(String(text)) ? Number(text) : text)
  return z.preprocess(read, z.number(sentence).int(sentence).min(1, sentence).max(highest, sentence).default(usual))
}

/** The bodies of the operations. */
export const bodies = {
  start: only({
    caseNo: caseNo.describe('The number of the case, unique for as long as the namespace keeps closed workflows.'),
    request: z
      .record(z.string(), z.unknown(), 'must be an object')
      .describe(
        "The input of the flow: the request of its operation in the specification's spelling, or its own input.",
      ),
    windows: z
      .record(
        z.string(),
        duration.refine(value => parseDuration(value) !== undefined, mustBeDuration),
        'must be an object',
      )
      .exactOptional()
      .describe(
        'Step name to duration, for instance "48h". `booking` counts from the start. A repeated start keeps the windows of the first one.',
      ),
  }),
  cancel: only({ reason: text(maxReason).exactOptional().describe('Recorded in the history of the flow.') }),
  decide: only({
    decision: z.enum(['extend', 'cancel', 'keepWaiting'], 'must be extend, cancel or keepWaiting'),
    by: duration.exactOptional().describe('The length of `extend`; by default the window of the step.'),
    step: text(300)
      .exactOptional()
      .describe(
        'The name of the step, if several are overdue. With `extend`, also a step whose window has not passed.',
      ),
    item: text(64).exactOptional().describe('The key of the item in which the step is.'),
    notification: text(200)
      .exactOptional()
      .describe(
        'The `webhook-id` of the notification that the decision answers. The decision is refused if the flow has sent a later notification, or was decided since.',
      ),
  }),
  assignReceiver: only({ toUserUid: text(64).describe('The user who collects the shipment.') }),
  answer: only({
    step: text(300).describe('The name of the ask step. In the item of a list, also with its key: `fit[A-1]`.'),
    item: text(64).exactOptional().describe('The key of the item in which the step asks, if several do.'),
    answer: text(100).describe('One of the answers that the step allows.'),
    fields: z
      .record(z.string(), z.unknown(), 'must be an object')
      .exactOptional()
      .describe('The fields of this answer.'),
    by: text(64)
      .exactOptional()
      .describe('The person who answers: recorded, not checked. The role of the token is checked.'),
  }),
} as const

/** Seconds that a call waits for its flow. */
export const maxWait = 60
const usualWait = 30
const timeout = number(maxWait, usualWait).describe(
  'Seconds that the call waits. Without a result in time, the response is a pending result, or 504 if the operation has no pending result. The flow continues.',
)

/** The queries of the operations. */
export const queries = {
  start: only({
    wait: z
      .enum(['booked', 'end'], 'must be booked or end')
      .exactOptional()
      .describe('Waits until the lockers are booked, or until the flow has ended.'),
    timeout,
  }),
  update: only({ timeout }),
  list: only({
    flow: filter(100).exactOptional().describe('The name of the flow.'),
    state: z
      .enum(
        ['booking', 'waiting', 'overdue', 'cleaningUp', 'ended'],
        'must be booking, waiting, overdue, cleaningUp or ended',
      )
      .exactOptional(),
    overdue: z
      .enum(['true', 'false'], 'must be true or false')
      .exactOptional()
      .describe('True for open flows whose window has passed.'),
    user: filter(64).exactOptional().describe('The uid of the user in the request.'),
    pickUpPoint: filter(64).exactOptional().describe('The uid of the pick up point.'),
    where: filter(2_000)
      .exactOptional()
      .describe("A condition, for instance `overdue and pickUpPoint = 'pup-1' and started before 48h ago`."),
    pageSize: number(1_000, 100).describe('Flows of a page.'),
    cursor: text(4_000).exactOptional().describe('The cursor of the previous page, with the same filter.'),
  }),
  status: only({
    picture: z
      .enum(['true', 'false'], 'must be true or false')
      .exactOptional()
      .describe('True adds the picture of the run: its steps, and the path that it took.'),
  }),
} as const
