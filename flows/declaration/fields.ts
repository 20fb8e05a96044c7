/**
 * The type of a field of a flow's input, of an answer, or of an activity's result. A closed list: each type maps to
 * TypeScript, to JSON Schema, and to a check that runs inside a workflow.
 *
 * - instant: a moment in ISO 8601 with offset or `Z`; date: a day as `2026-11-21`; uid: 1 to 64 characters.
 * - A list of texts: one of them.
 */
export type Field =
  | FieldName
  | readonly string[]
  | { readonly list: Field }
  | { readonly fields: Fields }
  | OptionalField

export type FieldName = 'text' | 'number' | 'integer' | 'boolean' | 'instant' | 'date' | 'uid'

/** A field that may be absent or null. */
export interface OptionalField {
  readonly optional: Field
}

export interface Fields {
  readonly [name: string]: Field
}
