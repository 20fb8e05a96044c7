import { z } from 'zod'

/**
 * An answer in which every field that may be null and is not there is null: a service may leave such fields out.
 * What the schema does not know stays as it is.
 */
export function withAbsentAsNull(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return withAbsentAsNull(schema.unwrap(), value)
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map(member => withAbsentAsNull(schema.element, member))
  }
  if (!(schema instanceof z.ZodObject) || value === null || typeof value !== 'object') return value
  const members = Object.entries(schema.shape).map(([key, member]) => {
    const given = (value as Record<string, unknown>)[key]
    if (given === undefined && member instanceof z.ZodNullable) return [key, null]
    return [key, withAbsentAsNull(member, given)]
  })
  return { ...value, ...Object.fromEntries(members) }
}
