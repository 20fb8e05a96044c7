import type { FieldName, OptionalField } from './fields.ts'

/** The TypeScript type of a field. */
export type ValueOf<Of> = Of extends FieldName
  ? NamedValues[Of]
  : Of extends readonly (infer Text extends string)[]
    ? Text
    : Of extends { list: infer Member }
      ? ValueOf<Member>[]
      : Of extends { fields: infer Below }
        ? ValuesOf<Below>
        : Of extends { optional: infer Inner }
          ? ValueOf<Inner> | null
          : never

interface NamedValues {
  text: string
  number: number
  integer: number
  boolean: boolean
  instant: string
  date: string
  uid: string
}

/** The TypeScript type of named fields. Optional ones may be absent or null. */
export type ValuesOf<Named> = Flat<
  { -readonly [Name in RequiredOf<Named>]: ValueOf<Named[Name]> } & {
    -readonly [Name in Exclude<keyof Named, RequiredOf<Named>>]?: ValueOf<Named[Name]> | undefined
  }
>

type RequiredOf<Named> = { [Name in keyof Named]: Named[Name] extends OptionalField ? never : Name }[keyof Named]

/** One object instead of an intersection, for messages of the compiler. */
type Flat<Type> = { [Key in keyof Type]: Type[Key] }
