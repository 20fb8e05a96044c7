/** Levels of blocks that the types follow: those that a flow can have. */
type MaxDepth = [1, 1, 1, 1]

/** The types of all steps of a flow, with those inside of blocks. */
export type StepsOf<Flow> = Flow extends { steps: infer Steps } ? AllSteps<Steps> : never

/** The types of the steps of a flow that run once for each item of a list. */
export type ItemStepsOf<Flow> =
  StepsOf<Flow> extends infer Step
    ? Step extends { forEach: unknown; steps: infer Steps }
      ? AllSteps<Steps>
      : never
    : never

/** The types of the steps of a flow that can run more than once. */
export type LoopStepsOf<Flow> =
  StepsOf<Flow> extends infer Step
    ? Step extends { forEach: unknown; steps: infer Steps } | { repeat: unknown; steps: infer Steps }
      ? AllSteps<Steps>
      : never
    : never

type AllSteps<Steps, Depth extends readonly unknown[] = MaxDepth> = Steps extends readonly (infer Step)[]
  ? Step | Inner<Step, Depth>
  : never

/** A declaration that is not a literal has steps of any kind at each level, so the levels are counted. */
type Inner<Step, Depth extends readonly unknown[]> = Depth extends readonly [unknown, ...infer Rest]
  ? Step extends { parallel: readonly { steps: infer Steps }[] } | { switch: readonly { steps: infer Steps }[] }
    ? AllSteps<Steps, Rest>
    : Step extends { group: infer Steps } | { steps: infer Steps }
      ? AllSteps<Steps, Rest>
      : never
  : never

/** The operation of the first step that books or calls, of a literal declaration. */
export type FirstOperationOf<Flow> = Flow extends { steps: infer Steps } ? FirstIn<Steps> : never

type FirstIn<Steps> = Steps extends readonly [infer First, ...infer Rest]
  ? [OperationIn<First>] extends [never]
    ? FirstIn<Rest>
    : OperationIn<First>
  : never

type OperationIn<Step> = Step extends { book: infer Operation } | { call: infer Operation }
  ? Operation
  : Step extends { parallel: infer Lists } | { switch: infer Lists }
    ? FirstOfLists<Lists>
    : Step extends { group: infer Steps } | { steps: infer Steps }
      ? FirstIn<Steps>
      : never

type FirstOfLists<Lists> = Lists extends readonly [{ steps: infer Steps }, ...infer Rest]
  ? [FirstIn<Steps>] extends [never]
    ? FirstOfLists<Rest>
    : FirstIn<Steps>
  : never
