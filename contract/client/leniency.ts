import { z } from 'zod'
import { toUtcWithoutOffset, utcTime } from '#contract'
import { readTime } from '#contract/terms'

/** The fields of an object that may be null, those with a time, and those that contain objects. */
interface LenientFields {
  readonly nullable: readonly string[]
  readonly times: readonly string[]
  readonly below: readonly (readonly [field: string, fields: LenientFields])[]
}

/**
 * Changes a response in place where services may differ: every nullable field that is absent becomes null, and every time
 * with an offset becomes one in UTC without an offset.
 */
export function applyLeniency(schema: z.core.$ZodType, response: unknown): void {
  change(lenientFields(schema), response)
}

function change(fields: LenientFields | undefined, value: unknown): void {
  if (fields === undefined || value === null || typeof value !== 'object') return
  if (Array.isArray(value)) {
    for (const member of value) change(fields, member)
    return
  }
  const members = value as Record<string, unknown>
  for (const field of fields.nullable) if (members[field] === undefined) members[field] = null
  for (const field of fields.times) members[field] = withoutOffset(members[field])
  for (const [field, below] of fields.below) change(below, members[field])
}

const withOffset = /(Z|[+-]\d\d:\d\d)$/i

function withoutOffset(time: unknown): unknown {
  if (typeof time !== 'string' || !withOffset.test(time)) return time
  const moment = readTime(time)
  return moment === undefined ? time : toUtcWithoutOffset(moment)
}

const fieldsOfSchemas = new WeakMap<z.core.$ZodType, LenientFields | undefined>()

/** Undefined for a schema without objects. It is found once, since each check of a schema's kind takes long. */
function lenientFields(schema: z.core.$ZodType): LenientFields | undefined {
  if (!fieldsOfSchemas.has(schema)) fieldsOfSchemas.set(schema, findLenientFields(schema))
  return fieldsOfSchemas.get(schema)
}

function findLenientFields(schema: z.core.$ZodType): LenientFields | undefined {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return lenientFields(schema.unwrap())
  if (schema instanceof z.ZodArray) return lenientFields(schema.element)
  if (!(schema instanceof z.ZodObject)) return undefined
  const members: [string, z.core.$ZodType][] = Object.entries(schema.shape)
  return {
    nullable: members.flatMap(([field, member]) => (member instanceof z.ZodNullable ? [field] : [])),
    times: members.flatMap(([field, member]) => (member === utcTime ? [field] : [])),
    below: members.flatMap(([field, member]) => {
      const fields = lenientFields(member)
      return fields === undefined ? [] : [[field, fields] as const]
    }),
  }
}
