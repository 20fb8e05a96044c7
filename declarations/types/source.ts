import type { KeysOf, ValueAt } from './scope.ts'

/** A source whose value has a type, or the sentence of its fault. */
export type SourceOf<Scope, Given, Wanted> = Given extends { readonly from: infer Path extends string }
  ? [ValueAt<Scope, Path>] extends [never]
    ? { readonly from: `must be a path of the input, a step or a role: ${Path}` }
    : ValueAt<Scope, Path> extends NonNullable<Wanted>
      ? Given
      : { readonly from: `must be a path of the type of the field: ${Path}` }
  : Given extends { readonly value: unknown } | { readonly merge: unknown } | readonly unknown[]
    ? Given
    : Given extends object
      ? NonNullable<Wanted> extends readonly unknown[]
        ? 'must be a list'
        : NonNullable<Wanted> extends object
          ? {
              readonly [Key in keyof Given]: Key extends KeysOf<NonNullable<Wanted>>
                ? SourceOf<Scope, Given[Key], NonNullable<Wanted>[Key & keyof NonNullable<Wanted>]>
                : never
            } & {
              readonly [Key in RequiredKeys<NonNullable<Wanted>>]: unknown
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
export type AnySource<Scope, Given> = Given extends { readonly from: infer Path extends string }
  ? [ValueAt<Scope, Path>] extends [never]
    ? { readonly from: `must be a path of the input, a step or a role: ${Path}` }
    : Given
  : Given extends { readonly value: unknown }
    ? Given
    : Given extends object
      ? { readonly [Key in keyof Given]: AnySource<Scope, Given[Key]> }
      : Given
