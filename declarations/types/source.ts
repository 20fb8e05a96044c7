import type { KeysOf, UnknownPath, ValueAt } from './scope.ts'

/** A source whose value has a type, or the sentence of its fault. */
export type SourceOf<Scope, Given, Wanted> = Given extends { from: infer Path extends string }
  ? [ValueAt<Scope, Path>] extends [never]
    ? { from: UnknownPath<Path> }
    : ValueAt<Scope, Path> extends NonNullable<Wanted>
      ? Given
      : { from: `must be a path of the type of the field: ${Path}` }
  : Given extends { merge: infer Parts }
    ? {
        merge: { [Index in keyof Parts]: SourceOf<Scope, Parts[Index], Partial<NonNullable<Wanted>>> }
      }
    : Given extends { value: unknown } | readonly unknown[]
      ? Given
      : Given extends object
        ? NonNullable<Wanted> extends readonly unknown[]
          ? 'must be a list'
          : NonNullable<Wanted> extends object
            ? {
                [Key in keyof Given]: Key extends KeysOf<NonNullable<Wanted>>
                  ? SourceOf<Scope, Given[Key], NonNullable<Wanted>[Key & keyof NonNullable<Wanted>]>
                  : never
              } & {
                [Key in RequiredKeys<NonNullable<Wanted>>]: unknown
              }
            : 'must be a value, not an object'
        : Given extends Wanted
          ? Given
          : Wanted

/** The flow fills in its case number. */
type RequiredKeys<Type> = Exclude<
  { [Key in keyof Type]-?: undefined extends Type[Key] ? never : Key }[keyof Type],
  'ReferenceCaseNo'
>

/** A source of a value of any type: its paths only. */
export type AnySource<Scope, Given> = Given extends { from: infer Path extends string }
  ? [ValueAt<Scope, Path>] extends [never]
    ? { from: UnknownPath<Path> }
    : Given
  : Given extends { value: unknown }
    ? Given
    : Given extends object
      ? { [Key in keyof Given]: AnySource<Scope, Given[Key]> }
      : Given
