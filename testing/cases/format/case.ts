import { z } from 'zod'
import { ends, startFields, story, storyFields, text } from '#testing/story'

/** The form of a test case. */
export const testCase = z
  .strictObject({
    case: text.meta({ description: 'The case in a few words. Unique in its flow.' }),
    ...startFields,
    ...storyFields,
    ends: ends
      .meta({ description: 'The end that the flow must have. A flow that still waits has none.' })
      .exactOptional(),
  })
  .readonly()
  .meta({ id: 'Case' })

/** @property request of the flow, with placeholders */
export type TestCase = z.infer<typeof testCase>

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
