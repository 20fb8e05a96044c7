import type { OperationName, RequestOf, ResponseOf } from '#contract'
import type { secretFields } from '#flows'
import type { RolesOf, ValuesOf } from '#flows/declaration'

/** The steps of a flow, as a union. */
export type StepsOf<Flow> = Flow extends { steps: readonly (infer Step)[] } ? Step : never
/** The names of the steps. */
export type NamesOf<Flow> =
  StepsOf<Flow> extends infer Step ? (Step extends { name: infer Name extends string } ? Name : never) : never

/** The fields of the input: the declared ones, or those of the request of any booking or call. */
type InputOf<Flow> = Flow extends { input: infer Input } ? ValuesOf<Input> : RequestOf<OperationsOf<Flow>>
type OperationsOf<Flow> =
  StepsOf<Flow> extends infer Step
    ? Step extends { request: unknown }
      ? never
      : Step extends { book: infer Name extends OperationName } | { call: infer Name extends OperationName }
        ? Name
        : never
    : never

/** The output of each step, by its name. */
type OutputsOf<Flow> = {
  [Step in StepsOf<Flow> as Step extends { ask: unknown } | { call: unknown } | { run: unknown } | { onError: unknown }
    ? Step extends { name: infer Name extends string }
      ? Name
      : never
    : never]: OutputOf<Step>
}
type OutputOf<Step> = (Step extends { ask: infer Answers }
  ? { answer: keyof Answers & string } & Fields<Answers[keyof Answers]>
  : Step extends { call: infer Name extends OperationName }
    ? Pick<ResponseOf<Name>, Step extends { keep: readonly (infer Kept)[] } ? FieldOf<Name> & Kept : FieldOf<Name>>
    : Step extends { run: string; keep: infer Kept }
      ? ValuesOf<Kept>
      : unknown) &
  (Step extends { onError: unknown } ? { error?: string } : unknown)
/** A field of the response of an operation that can be an output. */
export type FieldOf<Name extends OperationName> = Exclude<keyof ResponseOf<Name>, (typeof secretFields)[number]>
/** The fields of all answers together. */
type Fields<Answer> = {
  [Name in KeysOf<Answer>]: Answer extends { [Key in Name]: unknown }
    ? ValuesOf<Answer>[Name & keyof ValuesOf<Answer>]
    : never
}
export type KeysOf<Union> = Union extends unknown ? keyof Union : never

/** Everything that a path can lead to. */
export type ScopeOf<Flow> = { input: InputOf<Flow> } & OutputsOf<Flow> & {
    [Role in RolesOf<Flow>]: { shipmentUid: string }
  }

/** The type at a path; never for a path that leads nowhere. It is neither null nor undefined. */
export type ValueAt<Scope, Path> = NonNullable<GivenAt<Scope, Path>>

/** The type at a path, with null for a value that may be null, and undefined for one that may be absent. */
export type GivenAt<Scope, Path> = Scope extends unknown
  ? Path extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Scope
      ?
          | (null extends Scope[Head] ? undefined : Extract<Scope[Head], undefined>)
          | GivenAt<NonNullable<Scope[Head]>, Rest>
      : never
    : Path extends keyof Scope
      ? Scope[Path]
      : never
  : never
export type EmptyAt<Scope, Path> = Extract<GivenAt<Scope, Path>, null | undefined>

/**
 * The sentence of a fault. No value has this type, and the compiler names it in its error. A literal type would not do: with the
 * faulty literal it makes `never`, without a sentence.
 */
export interface TypeFault<Sentence extends string, Known = unknown> {
  readonly fault: Sentence
  readonly known: Known
}

/** `unknown`, which accepts any type, if `Given` is a known one; otherwise the fault. */
export type KnownOr<Given, Known, Sentence extends string> = Given extends Known ? unknown : TypeFault<Sentence, Known>

export type NoPath<Path> = `must be a path of the input, a step or a role: ${Path & string}`

/** The names that could stand in a path where it leads nowhere. */
export type NamesAt<Scope, Path> = Path extends `${infer Head}.${string}`
  ? Head extends keyof Scope
    ? KeysOf<Scope[Head]>
    : keyof Scope
  : keyof Scope
