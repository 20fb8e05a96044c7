import type { OperationName, RequestOf, ResponseOf } from '#contract'
import type { AnswerUpdate, Duration, FlowName, FlowResult, FlowShipment, flows } from '#flows'
import type {
  FlowDeclaration as Declared,
  FirstOperationOf,
  ItemStepsOf,
  RolesOf,
  StepsOf,
  ValuesOf,
} from '#flows/declaration'

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
  : FirstOperationOf<Flow> extends infer Operation extends OperationName
    ? RequestOf<Operation>
    : never

/** The steps of a flow that can have a window, and `booking`. */
export type WindowName<Name extends NameOf<Own>, Own extends Declared = never> =
  | WindowedIn<DeclarationOf<Name, Own>>
  | 'booking'
type WindowedIn<Flow> =
  StepsOf<Flow> extends infer Step ? (Step extends { name: infer Each extends string } ? Each : never) : never

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
  ? { [Output in keyof Outputs]: OutputIn<Flow, Outputs[Output]> | null }
  : unknown
type OutputIn<Flow, Output> = Output extends { first: readonly (infer From)[] } | { from: infer From }
  ? ValueIn<Flow, From>
  : ValueIn<Flow, Output>
/** The value at a path: any JSON where the types do not know it. */
type ValueIn<Flow, From> = From extends `${string}.shipmentUid`
  ? string
  : From extends `${infer Name}.${infer Field}`
    ? OutputOf<Flow, Extract<StepsOf<Flow>, { name: Name }>, Field>
    : unknown
type OutputOf<Flow, Step, Field> = Step extends { call: infer Operation extends OperationName }
  ? Field extends keyof ResponseOf<Operation>
    ? ResponseOf<Operation>[Field]
    : unknown
  : Step extends { run: string; keep: infer Kept }
    ? FieldIn<Kept, Field>
    : Step extends { ask: infer Answers }
      ? Field extends 'answer'
        ? keyof Answers
        : {
            [Answer in keyof Answers]: Field extends keyof Answers[Answer] ? FieldIn<Answers[Answer], Field> : never
          }[keyof Answers]
      : Field extends keyof BlockOutput<Flow, Step>
        ? BlockOutput<Flow, Step>[Field]
        : unknown
/** The output of a block, and of a wait. */
type BlockOutput<Flow, Step> = Step extends { wait: unknown }
  ? { ended: 'reached' | 'timedOut' }
  : Step extends { parallel: readonly { name: infer Branch }[] }
    ? { first: Branch }
    : Step extends { repeat: unknown }
      ? { rounds: number; ended: 'until' | 'atMost' }
      : Step extends { forEach: infer List }
        ? {
            items: ({ key: string } & CollectedIn<Flow, Step, ItemOf<Flow, List>>)[]
            completed: number
            failed: number
            errors: { key: string; error: string }[]
          }
        : unknown
/** A value that an item does not have is left out. */
type CollectedIn<Flow, Step, Item> = Step extends { item: infer Name extends string; collect: infer Collected }
  ? { [Field in keyof Collected]?: CollectedValue<Flow, Name, Item, Collected[Field]> }
  : unknown
type CollectedValue<Flow, Name extends string, Item, Source> = Source extends { from: infer From }
  ? From extends `${Name}.${infer Field}`
    ? FieldIn<Item, Field>
    : ValueIn<Flow, From>
  : unknown
/** The declared fields of the items of a list. */
type ItemOf<Flow, List> = List extends `input.${infer Name}`
  ? Flow extends { input: { [Field in Name]: infer Declared } }
    ? MembersIn<Declared>
    : unknown
  : unknown
type MembersIn<Declared> = Declared extends { optional: infer Inner }
  ? MembersIn<Inner>
  : Declared extends { list: { fields: infer Fields } }
    ? Fields
    : unknown
type FieldIn<Fields, Name> = Name extends keyof ValuesOf<Fields> ? ValuesOf<Fields>[Name] : unknown

/** An answer to an ask step of a flow: `AnswerOf<'repairShop', typeof repairShop>`. */
export type AnswerOf<Name extends NameOf<Own>, Own extends Declared = never> = AnswerIn<DeclarationOf<Name, Own>>
type AnswerIn<Flow> = IsWide<Flow> extends true ? AnswerUpdate : LiteralAnswerIn<Flow>
type LiteralAnswerIn<Flow> = Given<Exclude<StepsOf<Flow>, ItemStepsOf<Flow>>> | (Given<ItemStepsOf<Flow>> & InItem)
interface InItem {
  /** The key of the item, if several ask. */
  item?: string
}
type Given<Step> = Step extends { name: infer Name extends string; ask: infer Answers }
  ? { [Answer in keyof Answers]: GivenAnswer<Name, Answer, Answers[Answer]> }[keyof Answers]
  : never
type GivenAnswer<Name, Answer, Fields> = {
  step: Name
  answer: Answer
  /** 1 to 64 characters: recorded, not checked. */
  by?: string
} & (Record<never, never> extends ValuesOf<Fields> ? { fields?: ValuesOf<Fields> } : { fields: ValuesOf<Fields> })
