import { z } from 'zod'
import { stateCodes } from '#contract/terms'
import { duration, json, name, roleName, sentences, text } from './values.ts'
import { type Fail, type StoryWord, word } from './words.ts'

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

/** The form of the end that a story must have. */
export const ends = z
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
            role: roleName.exactOptional(),
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
      .record(roleName, z.enum(stateCodes, `must be one of ${stateCodes.join(', ')}`))
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

/** The fields of a story. */
export const storyFields = {
  before: before.exactOptional(),
  runs: runs.exactOptional(),
  story: z.array(word).readonly().meta({ description: 'The events, in their order.' }),
}

/** The form of a story: the events of one case, in their order. */
export const story = z.strictObject(storyFields).readonly().meta({ id: 'Story' })

/** The fields with which a story starts its flow. */
export const startFields = {
  flow: name.meta({ description: 'The name of the flow.' }),
  request: z.record(z.string(), json, sentences.request).readonly().meta({
    description: 'The request of the flow. `{ $user: 1 }` and the like stand for values that differ in each run.',
  }),
}

export type Story = z.infer<typeof story>
/** A story that starts a flow. */
export type StartedStory = Story & {
  readonly [Field in keyof typeof startFields]: z.infer<(typeof startFields)[Field]>
}
export type Ends = z.infer<typeof ends>
export type Before = z.infer<typeof before>
/** What exists before a flow. inStock and returned: its item is in the locker. */
export type ItemKind = Before[string]
export type Runs = z.infer<typeof runs>
/** The result of a run step, whose activity a story never runs. */
export type RunResult = Runs[string]

/** The faults before any other word: they apply from the start of the flow. */
export function leadingFaults(words: readonly StoryEvent[]): Fail[] {
  const other = words.findIndex(each => !('fail' in each))
  return words.slice(0, other < 0 ? words.length : other).flatMap(each => ('fail' in each ? [each.fail] : []))
}

export type StoryEvent = StoryWord
