import { z } from 'zod'
import { stateCodes } from '#contract/terms'
import { count, duration, json, moment, name, roleName, sentences, text, user } from './values.ts'

const role = roleName.meta({ description: 'A role of the flow, or a name of `before`. In an item: `issue[A-1]`.' })
const states = z.record(roleName, z.enum(stateCodes, `must be one of ${stateCodes.join(', ')}`)).readonly()

const fail = z
  .strictObject({
    book: text.exactOptional().meta({ description: 'The operation of a book step.' }),
    call: text.exactOptional().meta({ description: 'The operation of a call step.' }),
    run: text.exactOptional().meta({ description: 'The activity of a run step.' }),
    times: count.exactOptional().meta({ description: 'How many attempts fail. Absent: all of them.' }),
    code: text.exactOptional().meta({ description: 'The code of the refusal, or of the failure of the activity.' }),
    fault: z.enum(['unavailable', 'requestLost', 'responseLost'], sentences.fault).exactOptional().meta({
      description:
        'unavailable: the service answers with 503 and does nothing. requestLost: the request does not arrive. responseLost: the operation is done, but its response is lost.',
    }),
    done: z
      .literal(true)
      .exactOptional()
      .meta({ description: 'With a code: the operation is done, and the refusal has the fields of its response.' }),
  })
  .refine(({ book, call, run }) => [book, call, run].filter(Boolean).length === 1, sentences.target)
  .refine(({ code, fault }) => (code === undefined) !== (fault === undefined), sentences.cause)
  .readonly()
  .meta({
    id: 'Fail',
    description: 'One of `book`, `call` and `run`, and one of `code` and `fault`.',
    // Editors know the schema only, which has no rules that are code.
    allOf: [oneRequired('book', 'call', 'run'), oneRequired('code', 'fault')],
  })

/** The rule of a JSON Schema that an object has one of some fields. */
function oneRequired(...fields: readonly string[]) {
  return { oneOf: fields.map(field => ({ required: [field] })) }
}

const expected = z
  .strictObject({
    step: name.exactOptional().meta({ description: 'The step in which the flow waits.' }),
    overdue: z.boolean().exactOptional().meta({ description: 'The window of the step has passed.' }),
    currentDetails: text
      .exactOptional()
      .meta({ description: 'A part of the current details in the Web UI, in any casing.' }),
    outcome: z
      .enum(['completed', 'cancelled', 'expired', 'failed'])
      .exactOptional()
      .meta({ description: 'The outcome of a flow that has ended.' }),
    shipments: states.exactOptional().meta({ description: 'The states of shipments, by role.' }),
  })
  .readonly()
  .meta({ id: 'Expect' })

/** Each word of a story: an object with its key, and sometimes further fields. */
export const words = {
  dropOff: z.strictObject({ dropOff: role }).meta({ description: 'A person places the item of a shipment.' }),
  pickUp: z.strictObject({ pickUp: role }).meta({ description: 'A person collects the item of a shipment.' }),
  cancelShipment: z
    .strictObject({ cancelShipment: role })
    .meta({ description: 'Another program cancels a shipment in the service.' }),
  setReceiver: z
    .strictObject({ setReceiver: role, user: user.exactOptional() })
    .meta({ description: 'Another program sets the receiver of a shipment in the service. Absent: user 1.' }),
  answer: z
    .strictObject({
      answer: name,
      step: name,
      item: text.exactOptional().meta({ description: 'The key of the item that asks, if several do.' }),
      fields: z.record(text, json).readonly().exactOptional().meta({ description: 'With values as in the request.' }),
      by: text.exactOptional(),
    })
    .meta({ description: 'A person answers an ask step.' }),
  decide: z
    .strictObject({
      decide: z.enum(['extend', 'keepWaiting', 'cancel']),
      by: duration.exactOptional(),
      step: name.exactOptional().meta({ description: 'The step, if several are overdue.' }),
      item: text.exactOptional().meta({ description: 'The key of its item.' }),
    })
    .refine(({ decide, by }) => by === undefined || decide === 'extend', { path: ['by'], error: sentences.by })
    .meta({ description: 'A person decides about an expired window. `by` is the duration for `extend`.' }),
  cancel: z.strictObject({ cancel: text }).meta({ description: 'The flow is cancelled, for this reason.' }),
  cancelInWebUi: z
    .strictObject({ cancelInWebUi: z.literal(true) })
    .meta({ description: 'A person uses the cancel button of the Web UI.' }),
  after: z.strictObject({ after: duration }).meta({ description: 'Time passes.' }),
  at: z.strictObject({ at: moment }).meta({ description: 'Time passes until this moment.' }),
  fail: z.strictObject({ fail }).meta({
    description: 'From now on, attempts fail. If no other word comes first: from the start of the flow.',
  }),
  recover: z
    .strictObject({ recover: text })
    .meta({ description: 'Attempts of this operation or activity succeed again.' }),
  loseCallbacks: z
    .strictObject({ loseCallbacks: role })
    .meta({ description: 'The callbacks about a shipment are lost from now on.' }),
  deliverCallbacks: z
    .strictObject({ deliverCallbacks: role })
    .meta({ description: 'The callbacks about a shipment arrive again.' }),
  loseWorker: z
    .strictObject({ loseWorker: z.literal(true) })
    .meta({ description: 'The worker is lost with all its memory, and another one continues.' }),
  expect: z.strictObject({ expect: expected }).meta({ description: 'The state that the flow must reach.' }),
} as const

export type Verb = keyof typeof words

export type StoryWord = { [Name in Verb]: z.infer<(typeof words)[Name]> }[Verb]

export type Fail = z.infer<typeof fail>
export type Expected = z.infer<typeof expected>

const [first, ...others] = Object.entries(words).map(([verb, schema]) => schema.readonly().meta({ id: titleOf(verb) }))

export const word = z.union([first as NonNullable<typeof first>, ...others], sentences.word) as unknown as z.ZodType<
  StoryWord,
  StoryWord
>

/** `loseWorker` is documented as LoseWorker. */
function titleOf(verb: string): string {
  return `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)}Word`
}

/** The words in a value that should be one word of a story. */
export function verbsIn(value: unknown): Verb[] {
  if (typeof value !== 'object' || value === null) return []
  return (Object.keys(words) as Verb[]).filter(verb => Object.hasOwn(value, verb))
}
