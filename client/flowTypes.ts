import type { OperationName, RequestOf, ResponseOf } from '#contract'
import type { AnswerUpdate, Duration, FlowName, FlowResult, FlowShipment, flows } from '#flows'
import type { FlowDeclaration as Declared, RolesOf, ValuesOf } from '#flows/declaration'

type BuiltIn = typeof flows

/** The names of the built-in flows, and of the flows that a client was given. */
export type NameOf<Own extends Declared = never> = FlowName | Own['name']

/** The declaration of a name. */
export type DeclarationOf<Name extends string, Own extends Declared = never> = Name extends keyof BuiltIn
  ? BuiltIn[Name]
  : Own extends unknown
    ? Name extends Own['name']
      ? Own
      : never
    : never

/** A declaration that is not a literal for the compiler, such as one from YAML: its types are wide. */
type IsWide<Flow> = Flow extends { name: infer Name } ? (string extends Name ? true : false) : false

/** The input of a flow: `InputOf<'issue'>`, or `InputOf<'repairShop', typeof repairShop>` for custom flows. */
export interface InputOf<Name extends NameOf<Own> = FlowName, Own extends Declared = never> {
  /** 1 to 60 characters, unique for as long as the namespace keeps closed workflows. */
  caseNo: string
  /**
   * The declared input, or the request of the flow's operation in the specification's spelling. At run time its keys are
   * read in any casing. The flow fills every `ReferenceCaseNo`.
   */
  request: FlowRequest<Name, Own>
  /** Step name to duration, for instance `"48h"`. `booking` counts from the start of the flow. */
  windows?: Partial<Record<WindowName<Name, Own>, Duration>>
}

/** The request of a flow, with the fields that the flow adds to its operation. */
export type FlowRequest<Name extends NameOf<Own>, Own extends Declared = never> = {
  [Each in Name]: RequestIn<DeclarationOf<Each, Own>>
}[Name]

type RequestIn<Flow> = IsWide<Flow> extends true ? Readonly<Record<string, unknown>> : LiteralRequestIn<Flow>
type LiteralRequestIn<Flow> = Flow extends { input: infer Input }
  ? ValuesOf<Input>
  : FirstOperation<StepsIn<Flow>> extends infer Operation extends OperationName
    ? RequestOf<Operation>
    : never
type StepsIn<Flow> = Flow extends { steps: infer Steps } ? Steps : never
type FirstOperation<Steps> = Steps extends readonly [infer First, ...infer Rest]
  ? First extends { book: infer Operation } | { call: infer Operation }
    ? Operation
    : FirstOperation<Rest>
  : never
/** The steps of a flow that can have a window, and `booking`. */
export type WindowName<Name extends NameOf<Own>, Own extends Declared = never> =
  | WindowedIn<DeclarationOf<Name, Own>>
  | 'booking'
type WindowedIn<Flow> = Flow extends { steps: readonly (infer Step)[] }
  ? Step extends { name: infer Each extends string }
    ? Each
    : never
  : never

/** A shipment of a flow, with the roles that the flow declares. */
export type ShipmentOf<Name extends NameOf<Own>, Own extends Declared = never> = FlowShipment & {
  role: RolesOf<DeclarationOf<Name, Own>>
}

/** The result of a flow: `ResultOf<'issue'>`. A union of them is narrowed by its field `flow`. */
export type ResultOf<Name extends NameOf<Own> = FlowName, Own extends Declared = never> = {
  [Each in Name]: Pick<FlowResult, 'caseNo' | 'outcome' | 'leftOver'> & {
    flow: Each
    shipments: ShipmentOf<Each, Own>[]
  } & OutputsIn<DeclarationOf<Each, Own>>
}[Name]

/** The uid of a shipment is null unless the flow has completed. An output of a step is null as long as it has none. */
type OutputsIn<Flow> = IsWide<Flow> extends true ? Readonly<Record<string, unknown>> : LiteralOutputsIn<Flow>
type LiteralOutputsIn<Flow> = Flow extends { outputs: infer Outputs }
  ? { [Output in keyof Outputs]: OutputIn<StepIn<Flow>, Outputs[Output]> | null }
  : unknown
type StepIn<Flow> = Flow extends { steps: readonly (infer Step)[] } ? Step : never
type OutputIn<Step, Output> = Output extends { first: readonly (infer From)[] } | { from: infer From }
  ? ValueIn<Step, From>
  : ValueIn<Step, Output>
/** The value at a path: any JSON where the types do not know it. */
type ValueIn<Step, From> = From extends `${string}.shipmentUid`
  ? string
  : From extends `${infer Name}.${infer Field}`
    ? OutputOf<Extract<Step, { name: Name }>, Field>
    : unknown
type OutputOf<Step, Field> = Step extends { call: infer Operation extends OperationName }
  ? Field extends keyof ResponseOf<Operation>
    ? ResponseOf<Operation>[Field]
    : unknown
  : Step extends { keep: infer Kept }
    ? FieldIn<Kept, Field>
    : Step extends { ask: infer Answers }
      ? Field extends 'answer'
        ? keyof Answers
        : {
            [Answer in keyof Answers]: Field extends keyof Answers[Answer] ? FieldIn<Answers[Answer], Field> : never
          }[keyof Answers]
      : unknown
type FieldIn<Fields, Name> = Name extends keyof ValuesOf<Fields> ? ValuesOf<Fields>[Name] : unknown

/** An answer to an ask step of a flow: `AnswerOf<'repairShop', typeof repairShop>`. */
export type AnswerOf<Name extends NameOf<Own>, Own extends Declared = never> = AnswerIn<DeclarationOf<Name, Own>>
type AnswerIn<Flow> = IsWide<Flow> extends true ? AnswerUpdate : LiteralAnswerIn<Flow>
type LiteralAnswerIn<Flow> = Flow extends { steps: readonly (infer Step)[] }
  ? Step extends { name: infer Name extends string; ask: infer Answers }
    ? { [Answer in keyof Answers]: Given<Name, Answer, Answers[Answer]> }[keyof Answers]
    : never
  : never
type Given<Name, Answer, Fields> = {
  step: Name
  answer: Answer
  /** 1 to 64 characters: recorded, not checked. */
  by?: string
} & (Record<never, never> extends ValuesOf<Fields> ? { fields?: ValuesOf<Fields> } : { fields: ValuesOf<Fields> })
