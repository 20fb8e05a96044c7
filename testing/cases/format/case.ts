import { z } from 'zod'
import { stateCodes } from '#contract/terms'
import { duration, json, name, sentences, text } from './values.ts'
import { word } from './words.ts'

const before = z
  .record(name, z.enum(['inStock', 'announced', 'returned']))
  .readonly()
  .meta({
    id: 'Before',
    description:
      'Shipments that exist before the flow, by name. inStock: an item in its locker, without a receiver. announced: stock whose item has not arrived yet. returned: an item that a user has brought back, in its locker.',
  })

const runs = z
  .record(
    text,
    z
      .strictObject({
        returns: z.record(text, json).readonly().meta({ description: 'Its fields, with values as in the request.' }),
        takes: duration.exactOptional().meta({
          description:
            'How long the work takes. Absent: no time. A cancellation stops it only in a step with heartbeat.',
        }),
      })
      .readonly(),
  )
  .readonly()
  .meta({ id: 'Runs', description: 'The result of each activity, by its name. A test never runs the activity itself.' })

const ends = z
  .strictObject({
    outcome: z
      .enum(['completed', 'cancelled', 'expired', 'failed'])
      .exactOptional()
      .meta({ description: 'The outcome of the flow.' }),
    code: text.exactOptional().meta({ description: 'The code of the failure of a failed flow.' }),
    leftOver: z
      .array(
        z
          .strictObject({
            role: name.exactOptional(),
            step: name.exactOptional(),
            reason: text.exactOptional().meta({ description: 'A word such as itemInside, or a part of the sentence.' }),
          })
          .readonly(),
      )
      .readonly()
      .exactOptional()
      .meta({ description: 'Everything that is left for a person, in any order. [] for nothing.' }),
    ran: z
      .array(text)
      .readonly()
      .exactOptional()
      .meta({ description: 'The activities that ran, those that undo work included, in their order.' }),
    bookings: z
      .record(name, z.enum(stateCodes, `must be one of ${stateCodes.join(', ')}`))
      .readonly()
      .exactOptional()
      .meta({ description: 'The last states of shipments, by role.' }),
    outputs: z
      .record(text, json)
      .readonly()
      .exactOptional()
      .meta({ description: 'Fields of the result, with values as in the request.' }),
  })
  .readonly()
  .meta({ id: 'Ends' })

const parts = {
  before: before.exactOptional(),
  runs: runs.exactOptional(),
  story: z.array(word).readonly().meta({ description: 'The events, in their order.' }),
}

/** The form of a story: the events of one case, in their order. */
export const story = z.strictObject(parts).readonly().meta({ id: 'Story' })

/** The form of a test case. */
export const testCase = z
  .strictObject({
    case: text.meta({ description: 'The case in a few words. Unique in its flow.' }),
    flow: name.meta({ description: 'The name of the flow.' }),
    request: z.record(z.string(), json, sentences.request).readonly().meta({
      description: 'The request of the flow. `{ $user: 1 }` and the like stand for values that differ in each run.',
    }),
    ...parts,
    ends: ends
      .meta({ description: 'The end that the flow must have. A flow that still waits has none.' })
      .exactOptional(),
  })
  .readonly()
  .meta({ id: 'Case' })

/** @property request of the flow, with placeholders */
export type TestCase = z.infer<typeof testCase>
export type Story = z.infer<typeof story>
export type Ends = z.infer<typeof ends>
export type Before = z.infer<typeof before>
export type Runs = z.infer<typeof runs>

/** The JSON Schema of a file of cases, for editors. */
export function casesSchema(): object {
  const schema = z.toJSONSchema(z.union([z.array(testCase).min(1), testCase, story]), {
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly
    },
  })
  return { title: 'Test cases of flows of lockerflow', ...schema }
}
