import { z } from 'zod'
import { sentences } from './parts/sentences.ts'
import { fields, flowName, key, path, summary, text, when } from './parts/values.ts'
import { steps } from './steps.ts'

const outputPath = z.union([path, text], sentences.output)

/** The form of a declaration: the checks, the JSON Schema and the reference page come from it. */
export const declaration = z
  .strictObject({
    version: z.literal(1).exactOptional().meta({ description: 'The version of this form. Default 1.' }),
    name: flowName.meta({ description: 'The workflow type.' }),
    summary: summary.meta({ description: 'Shown in the list of flows.' }),
    input: fields
      .exactOptional()
      .meta({ description: 'The fields of the input; absent: the request of the first step that books or calls.' }),
    steps,
    outputs: z
      .record(
        key,
        z.union(
          [
            outputPath,
            z.strictObject({ first: z.array(outputPath).min(1).readonly() }).readonly(),
            z.strictObject({ from: outputPath, when }).readonly(),
          ],
          sentences.output,
        ),
      )
      .readonly()
      .exactOptional()
      .meta({
        description:
          'The fields of the result: a value, the whole output of a step, the first that is neither absent nor null, or one on a condition.',
      }),
  })
  .readonly()

/** The JSON Schema of a declaration, for editors. */
export function declarationSchema(): object {
  const schema = z.toJSONSchema(declaration, {
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly
    },
  })
  return { title: 'A flow of lockerflow', ...schema }
}
