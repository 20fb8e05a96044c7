type Schema = Readonly<Record<string, unknown>>

/**
 * Joins a union with the empty text or with null to one schema: `{ type: ['string', 'null'], pattern, … }`. From the unions,
 * generators make a type that a caller in Go cannot set, and one that Python cannot read.
 */
export function joinEmptyTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(joinEmptyTexts)
  if (value === null || typeof value !== 'object') return value
  const { anyOf, ...schema } = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, joinEmptyTexts(member)]),
  )
  if (anyOf === undefined) return schema
  const variants = (anyOf as readonly Schema[]).flatMap(toVariants)
  const others = variants.filter(({ const: only }) => only !== '')
  return join(schema, others.length < variants.length ? others.map(allowEmpty) : others)
}

/** The variants of a union that is a variant itself: generators name the type of a flat union only. */
function toVariants(variant: Schema): readonly Schema[] {
  const { anyOf, ...others } = variant
  return anyOf !== undefined && Object.keys(others).length === 0 ? (anyOf as readonly Schema[]) : [variant]
}

function join(schema: Schema, variants: readonly Schema[]): Schema {
  const [first = {}, second] = variants
  if (second === undefined) return { ...first, ...schema }
  // Generators make three types of an enumeration whose type is a list.
  const isNullableText =
    variants.length === 2 && first.type === 'string' && second.type === 'null' && !('enum' in first)
  return isNullableText ? { ...first, ...schema, type: ['string', 'null'] } : { ...schema, anyOf: variants }
}

/** Without a minimum length and a format, which JSON Schema cannot limit to texts that are not empty. */
function allowEmpty({ minLength: _, format: __, ...schema }: Schema): Schema {
  const { pattern, enum: values } = schema
  return {
    ...schema,
    ...(typeof pattern === 'string' && { pattern: new RegExp(pattern, 'u').test('') ? pattern : `^$|${pattern}` }),
    ...(Array.isArray(values) && { enum: ['', ...values] }),
  }
}
