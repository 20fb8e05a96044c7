import type { EmptyAt, KeysOf, NamesAt, NoPath, TypeFault, ValueAt } from './scope.ts'

/**
 * A source whose value has a type, or the sentence of its fault.
 *
 * @typeParam Present the paths that the condition of the step demands
 */
export type SourceOf<Scope, Given, Wanted, Present> = Given extends { from: infer Path extends string }
  ? [ValueAt<Scope, Path>] extends [never]
    ? { from: TypeFault<NoPath<Path>, NamesAt<Scope, Path>> }
    : ValueAt<Scope, Path> extends NonNullable<Wanted>
      ? [
          // A field that may be left out accepts null too.
          Exclude<
            Given extends { or: unknown } ? never : EmptyAt<Scope, Path>,
            undefined extends Wanted ? unknown : Wanted
          >,
          Path,
        ] extends [never, string] | [unknown, Present] | [null, `${HeadsOf<Present>}.${string}`]
        ? Given
        : { from: TypeFault<`must be given, but may be absent or null; add { or }, or a condition: ${Path}`> }
      : { from: TypeFault<`must be a path of the type of the field: ${Path}`, Wanted> }
  : Given extends { merge: infer Parts }
    ? {
        merge: {
          [Index in keyof Parts]: SourceOf<Scope, Parts[Index], Partial<NonNullable<Wanted>> | undefined, Present>
        }
      }
    : Given extends { value: unknown } | readonly unknown[]
      ? Given
      : Given extends object
        ? NonNullable<Wanted> extends readonly unknown[]
          ? TypeFault<'must be a list', Wanted>
          : NonNullable<Wanted> extends object
            ? {
                [Key in keyof Given]: Key extends KeysOf<NonNullable<Wanted>>
                  ? SourceOf<Scope, Given[Key], NonNullable<Wanted>[Key & keyof NonNullable<Wanted>], Present>
                  : TypeFault<`is not a field of the request: ${Key & string}`, KeysOf<NonNullable<Wanted>>>
              } & {
                [Key in RequiredKeys<NonNullable<Wanted>>]: unknown
              }
            : TypeFault<'must be { from }, or a value of the type of the field', Wanted>
        : Given extends Wanted
          ? Given
          : TypeFault<'must be a value of the type of the field', Wanted>

type HeadsOf<Path> = Path extends `${infer Head}.${string}` ? Head : never

/** The flow fills in its case number. */
type RequiredKeys<Type> = Exclude<
  { [Key in keyof Type]-?: undefined extends Type[Key] ? never : Key }[keyof Type],
  'ReferenceCaseNo'
>

/** A source of a value of any type: its paths only. */
export type AnySource<Scope, Given> = Given extends { from: infer Path extends string }
  ? [ValueAt<Scope, Path>] extends [never]
    ? { from: TypeFault<NoPath<Path>, NamesAt<Scope, Path>> }
    : Given
  : Given extends { value: unknown }
    ? Given
    : Given extends object
      ? { [Key in keyof Given]: AnySource<Scope, Given[Key]> }
      : Given
