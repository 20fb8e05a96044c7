import type { OperationName, RequestOf } from '#contract'
import type { StateCode } from '#contract/terms'
import type { bookings } from '#flows'
import type { RolesOf, ValuesOf } from '#flows/declaration'
import type { NamesOf, ScopeOf, StepsOf, ValueAt } from './scope.ts'
import type { AnySource, SourceOf } from './source.ts'

/** The names and types that the references of a flow must have. It says nothing about the order of the steps. */
export type Checked<Flow> = CheckedWith<Flow, ScopeOf<Flow>, RolesOf<Flow>, NamesOf<Flow>>

interface Names<Scope, Role, Name> {
  scope: Scope
  role: Role
  name: Name
}

type CheckedWith<Flow, Scope, Role, Name> = (Flow extends { steps: infer Steps }
  ? {
      readonly steps: {
        readonly [Index in keyof Steps]: Steps[Index] & CheckedStep<Steps[Index], Names<Scope, Role, Name>>
      }
    }
  : unknown) &
  (Flow extends { outputs: infer Outputs }
    ? { readonly outputs: { readonly [Field in keyof Outputs]: CheckedOutput<Scope, Outputs[Field]> } }
    : unknown)

type CheckedOutput<Scope, Output> = Output extends `${string}.${string}`
  ? [ValueAt<Scope, Output>] extends [never]
    ? `must be a path of the input, a step or a role: ${Output}`
    : Output
  : Output extends string
    ? keyof Scope & string
    : Output extends { first: infer Paths }
      ? { readonly first: { readonly [Index in keyof Paths]: CheckedOutput<Scope, Paths[Index]> } }
      : Output extends { from: infer Path; when: infer When }
        ? { readonly from: CheckedOutput<Scope, Path>; readonly when: CheckedWhen<When, Scope> }
        : Output

/** Callable operations: those that book nothing and need no file. */
type Callable = Exclude<OperationName, keyof typeof bookings | 'CreateCollectOnlyShipment' | 'UploadAccountSuggestions'>

type CheckedStep<Step, Of extends Names<unknown, unknown, unknown>> = CheckedKind<Step, Of> &
  (Step extends { when: infer When } ? { readonly when: CheckedWhen<When, Of['scope']> } : unknown) &
  (Step extends { onTimeout: { goTo: string } }
    ? { readonly onTimeout: { readonly goTo: Of['name'] | 'end' } }
    : unknown) &
  (Step extends { onError: infer Ways } ? { readonly onError: CheckedWays<Ways, Of['name']> } : unknown) &
  (Step extends { window: infer Point } ? { readonly window: CheckedPoint<Point, Of['scope']> } : unknown) &
  (Step extends { sleep: { until: infer Point } }
    ? { readonly sleep: { readonly until: CheckedPoint<Point, Of['scope']> } }
    : unknown)

type CheckedWays<Ways, Name> = {
  readonly [Code in keyof Ways]: Ways[Code] extends { goTo: string } ? { readonly goTo: Name | 'end' } : unknown
}

type CheckedPoint<Point, Scope> = (Point extends { at: infer Path extends string }
  ? { readonly at: CheckedPath<Path, Scope> }
  : unknown) &
  (Point extends { from: infer Path extends string } ? { readonly from: CheckedPath<Path, Scope> } : unknown)

type CheckedKind<Step, Of extends Names<unknown, unknown, unknown>> = Step extends { wait: infer Wait }
  ? { readonly wait: { readonly [Role in keyof Wait]: Role extends Of['role'] ? StateCode : never } } & (Step extends {
      keep: unknown
    }
      ? { readonly keep: readonly Of['role'][] }
      : unknown) &
      (Step extends { completedBy: unknown } ? { readonly completedBy: { readonly role: Of['role'] } } : unknown)
  : Step extends { book: infer Operation extends OperationName }
    ? Requested<Step, Operation, Of['scope']>
    : Step extends { call: infer Operation }
      ? Operation extends Callable
        ? Requested<Step, Operation, Of['scope']>
        : { readonly call: Callable }
      : Step extends { run: string; with: infer With }
        ? { readonly with: AnySource<Of['scope'], With> }
        : unknown

type Requested<Step, Operation extends OperationName, Scope> = Step extends { request: infer Request }
  ? { readonly request: SourceOf<Scope, Request, RequestOf<Operation>> }
  : unknown

type CheckedPath<Path, Scope> = [ValueAt<Scope, Path>] extends [never] ? never : Path

/** A comparison of a path of its type; those below any, all and not are left to the check of ways. */
type CheckedWhen<When, Scope> = When extends { any: unknown } | { all: unknown } | { not: unknown }
  ? unknown
  : {
      readonly [Path in keyof When]: [ValueAt<Scope, Path>] extends [never]
        ? `must be a path of the input, a step or a role: ${Path & string}`
        : When[Path] extends string | number | true
          ? ValueAt<Scope, Path>
          : unknown
    }

/**
 * The functions that a flow runs, by name: the first argument is the value of `with`, as far as it is a literal object of
 * references, and the result has the fields of `keep`.
 */
export type ActivitiesFor<Flow> = {
  readonly [Step in StepsOf<Flow> as Step extends { run: infer Name extends string; taskQueue?: never }
    ? Name
    : never]: (
    input: Step extends { with: infer With } ? Given<With, ScopeOf<Flow>> : never,
    ...more: never[]
  ) => Promise<Step extends { keep: infer Kept } ? ValuesOf<Kept> : never>
}

/** The value of a source, for the function that receives it. */
type Given<Source, Scope> = Source extends { from: infer Path }
  ? ValueAt<Scope, Path>
  : Source extends { value: infer Value }
    ? Value
    : Source extends { merge: unknown }
      ? unknown
      : Source extends object
        ? { -readonly [Key in keyof Source]: Given<Source[Key], Scope> }
        : Source
