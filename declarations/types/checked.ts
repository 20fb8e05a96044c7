import type { OperationName, RequestOf } from '#contract'
import type { ErrorCode, StateCode } from '#contract/terms'
import type { bookings } from '#flows'
import type { RolesOf, ValuesOf } from '#flows/declaration'
import type { ConditionOf } from './condition.ts'
import type { FieldOf, NamesOf, ScopeOf, StepsOf, UnknownPath, ValueAt } from './scope.ts'
import type { AnySource, SourceOf } from './source.ts'

/** The names and types that the references of a flow must have. It says nothing about the order of the steps. */
export type Checked<Flow> = CheckedWith<Flow, ScopeOf<Flow>, RolesOf<Flow>, NamesOf<Flow>>

interface Names<Scope = unknown, Role = unknown, Name = unknown> {
  scope: Scope
  role: Role
  name: Name
}

type CheckedWith<Flow, Scope, Role, Name> = (Flow extends { steps: infer Steps }
  ? {
      steps: {
        [Index in keyof Steps]: Steps[Index] & CheckedStep<Steps[Index], Names<Scope, Role, Name>>
      }
    }
  : unknown) &
  (Flow extends { outputs: infer Outputs }
    ? { outputs: { [Field in keyof Outputs]: CheckedOutput<Scope, Outputs[Field]> } }
    : unknown)

type CheckedOutput<Scope, Output> = Output extends `${string}.${string}`
  ? [ValueAt<Scope, Output>] extends [never]
    ? UnknownPath<Output>
    : Output
  : Output extends string
    ? keyof Scope & string
    : Output extends { first: infer Paths }
      ? { first: { [Index in keyof Paths]: CheckedOutput<Scope, Paths[Index]> } }
      : Output extends { from: infer Path; when: infer When }
        ? { from: CheckedOutput<Scope, Path>; when: ConditionOf<Scope, When> }
        : Output

/** Callable operations: those that book nothing and need no file. */
type Callable = Exclude<OperationName, keyof typeof bookings | 'CreateCollectOnlyShipment' | 'UploadAccountSuggestions'>

type CheckedStep<Step, Of extends Names> = CheckedKind<Step, Of> &
  (Step extends { when: infer When } ? { when: ConditionOf<Of['scope'], When> } : unknown) &
  (Step extends { onTimeout: { goTo: string } } ? { onTimeout: { goTo: Of['name'] | 'end' } } : unknown) &
  (Step extends { onError: infer Ways }
    ? { onError: CheckedWays<Ways, Of['name'], Step extends { run: string } ? string : ErrorCode> }
    : unknown) &
  (Step extends { window: infer Point } ? { window: CheckedPoint<Point, Of['scope']> } : unknown) &
  (Step extends { sleep: { until: infer Point } } ? { sleep: { until: CheckedPoint<Point, Of['scope']> } } : unknown)

type CheckedWays<Ways, Name, Known> = {
  [Code in keyof Ways]: Code extends Known
    ? Ways[Code] extends { goTo: string }
      ? { goTo: Name | 'end' }
      : unknown
    : never
}

type CheckedPoint<Point, Scope> = (Point extends { at: infer Path extends string }
  ? { at: CheckedPath<Path, Scope> }
  : unknown) &
  (Point extends { from: infer Path extends string } ? { from: CheckedPath<Path, Scope> } : unknown)

type CheckedKind<Step, Of extends Names> = Step extends { wait: infer Wait }
  ? { wait: { [Role in keyof Wait]: Role extends Of['role'] ? StateCode : never } } & (Step extends {
      keep: unknown
    }
      ? { keep: readonly Of['role'][] }
      : unknown) &
      (Step extends { completedBy: unknown } ? { completedBy: { role: Of['role'] } } : unknown)
  : Step extends { book: infer Operation extends keyof typeof bookings }
    ? Requested<Step, Operation, Of['scope']> &
        (Step extends { as: infer Renamed }
          ? {
              as: {
                [Role in keyof Renamed]: Role extends keyof (typeof bookings)[Operation] ? string : never
              }
            }
          : unknown)
    : Step extends { call: infer Operation }
      ? Operation extends Callable
        ? Requested<Step, Operation, Of['scope']> &
            (Step extends { keep: unknown } ? { keep: readonly FieldOf<Operation>[] } : unknown)
        : { call: Callable }
      : Step extends { run: string; with: infer With }
        ? { with: AnySource<Of['scope'], With> }
        : unknown

type Requested<Step, Operation extends OperationName, Scope> = Step extends { request: infer Request }
  ? { request: SourceOf<Scope, Request, RequestOf<Operation>> }
  : unknown

type CheckedPath<Path, Scope> = [ValueAt<Scope, Path>] extends [never] ? never : Path

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
