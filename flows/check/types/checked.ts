import type { OperationName, RequestOf } from '#contract'
import type { ErrorCode, StateCode } from '#contract/terms'
import type { bookings } from '#flows'
import type {
  AskStep,
  BookStep,
  CallStep,
  FlowDeclaration,
  RolesOf,
  RunStep,
  SleepStep,
  WaitStep,
} from '#flows/declaration'
import type { ConditionOf, PresentIn } from './condition.ts'
import type { EmptyAt, FieldOf, KnownOr, NamesAt, NamesOf, NoPath, ScopeOf, TypeFault, ValueAt } from './scope.ts'
import type { AnySource, SourceOf } from './source.ts'

/** The names and types that the references of a flow must have. It says nothing about the order of the steps. */
export type Checked<Flow> = FlowDeclaration extends Flow
  ? unknown
  : CheckedWith<Flow, ScopeOf<Flow>, RolesOf<Flow>, NamesOf<Flow>> & WithoutOthers<Flow, keyof FlowDeclaration>

/** The compiler accepts further fields of a type argument. It gives each object of a list those of the others, as undefined. */
type WithoutOthers<Given, Known> = {
  [Key in Exclude<keyof Given, Known> as Given[Key] extends undefined ? never : Key]: TypeFault<
    `is not a field of the form: ${Key & string}`,
    Known
  >
}

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
    ? TypeFault<NoPath<Output>, NamesAt<Scope, Output>>
    : Output
  : Output extends string
    ? KnownOr<Output, keyof Scope, 'must be the name of a step with an output, or a path'>
    : Output extends { first: infer Paths }
      ? { first: { [Index in keyof Paths]: CheckedOutput<Scope, Paths[Index]> } }
      : Output extends { from: infer Path; when: infer When }
        ? { from: CheckedOutput<Scope, Path>; when: ConditionOf<Scope, When> }
        : Output

/** Callable operations: those that book nothing and need no file. */
type Callable = Exclude<OperationName, keyof typeof bookings | 'CreateCollectOnlyShipment' | 'UploadAccountSuggestions'>

type CheckedStep<Step, Of extends Names> = CheckedKind<Step, Of> &
  CheckedForm<Step> &
  (Step extends { when: infer When } ? { when: ConditionOf<Of['scope'], When> } : unknown) &
  (Step extends { onTimeout: { goTo: infer Name } } ? { onTimeout: { goTo: Later<Name, Of['name']> } } : unknown) &
  (Step extends { onError: infer Ways }
    ? { onError: CheckedWays<Ways, Of['name'], Step extends { run: string } ? string : ErrorCode> }
    : unknown) &
  (Step extends { window: infer Point } ? { window: CheckedPoint<Point, Of['scope'], PresentIn<Step>> } : unknown) &
  (Step extends { sleep: { until: infer Point } }
    ? { sleep: { until: CheckedPoint<Point, Of['scope'], PresentIn<Step>> } }
    : unknown)

type CheckedWays<Ways, Name, Known> = {
  [Code in keyof Ways]: Code extends Known
    ? Ways[Code] extends { goTo: string }
      ? { goTo: Later<Ways[Code]['goTo'], Name> }
      : unknown
    : TypeFault<`is not a code of the error table: ${Code & string}`>
}

type Later<Given, Name> = KnownOr<Given, Name | 'end', 'must be a later step, or end'>

/** The fields of the kind of the step, and the policy of its window. */
type CheckedForm<Given> = Given extends unknown
  ? WithoutOthers<Given, keyof OfKind<Given>> & (Given extends { window: null } ? unknown : WithWayOn<Given>)
  : never
type WithWayOn<Given> = Given extends { wait: unknown } | { ask: unknown }
  ? 'onTimeout' extends keyof Given
    ? unknown
    : { onTimeout: unknown }
  : unknown

type OfKind<Given> = Given extends { book: unknown }
  ? BookStep
  : Given extends { wait: unknown }
    ? WaitStep
    : Given extends { ask: unknown }
      ? AskStep
      : Given extends { call: unknown }
        ? CallStep
        : Given extends { run: unknown }
          ? RunStep
          : SleepStep

type CheckedPoint<Point, Scope, Present> = (Point extends { at: infer Path extends string }
  ? { at: CheckedMoment<Path, Scope, Present> }
  : unknown) &
  (Point extends { from: infer Path extends string } ? { from: CheckedMoment<Path, Scope, Present> } : unknown)

type CheckedKind<Step, Of extends Names> = Step extends { wait: infer Wait }
  ? {
      wait: {
        [Role in keyof Wait]: Role extends Of['role']
          ? StateCode
          : TypeFault<`is not a role that the flow books: ${Role & string}`, Of['role']>
      }
    } & (Step extends {
      keep: unknown
    }
      ? { keep: readonly Of['role'][] }
      : unknown) &
      (Step extends { completedBy: { role: infer Role } }
        ? { completedBy: { role: KnownOr<Role, Of['role'], 'must be a role that the flow books'> } }
        : unknown)
  : Step extends { book: infer Operation extends keyof typeof bookings }
    ? Requested<Step, Operation, Of['scope']> &
        (Step extends { as: infer Renamed }
          ? {
              as: {
                [Role in keyof Renamed]: Role extends keyof (typeof bookings)[Operation]
                  ? string
                  : TypeFault<`is not a role of the operation: ${Role & string}`, keyof (typeof bookings)[Operation]>
              }
            }
          : unknown)
    : Step extends { call: infer Operation }
      ? Operation extends Callable
        ? Requested<Step, Operation, Of['scope']> &
            (Step extends { keep: unknown } ? { keep: readonly FieldOf<Operation>[] } : unknown)
        : { call: TypeFault<'must be an operation that books nothing and needs no file', Callable> }
      : Step extends { run: string; with: infer With }
        ? { with: AnySource<Of['scope'], With> }
        : unknown

type Requested<Step, Operation extends OperationName, Scope> = Step extends { request: infer Request }
  ? { request: SourceOf<Scope, Request, RequestOf<Operation>, PresentIn<Step>> }
  : unknown

type CheckedMoment<Path extends string, Scope, Present> = [ValueAt<Scope, Path>] extends [never]
  ? TypeFault<NoPath<Path>, NamesAt<Scope, Path>>
  : undefined extends (Path extends Present ? never : EmptyAt<Scope, Path>)
    ? TypeFault<`must be given, but may be absent; add a condition: ${Path}`>
    : Path
