import { z } from 'zod'

/** A JSON object of the document. */
export type Json = Record<string, unknown>

/** The JSON Schema of what is sent (`input`) or what comes back (`output`), as OpenAPI 3.1 takes it. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => makePlain(jsonSchema, io),
  })
  return made
}

/** A body of type application/json. */
export function json(schema: Json, examples: Json = {}): Json {
  return { 'application/json': { schema, ...(Object.keys(examples).length > 0 && { examples }) } }
}

export function referenceTo(kind: 'responses' | 'headers' | 'parameters', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}

function makePlain(schema: { minimum?: number; maximum?: number; pattern?: string }, io: 'input' | 'output'): void {
  // That an answer has no larger integers than JavaScript can hold is no news; that a request may not is.
  if (io === 'output' && schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (io === 'output' && schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  // Other languages know NUL by its number only.
  if (schema.pattern !== undefined) schema.pattern = schema.pattern.replaceAll('\\0', '\\u0000')
}
