import type { AccountFlowDeclaration, FlowDeclaration, PlannedStage, Stage } from '#flows'

/** The stages of a request: those without a condition, and those whose condition it fulfils. */
export function stagesFor({ stages }: FlowDeclaration, request: Readonly<Record<string, unknown>>): readonly Stage[] {
  return stages.filter(({ when = {} }) =>
    Object.entries(when).every(([field, value]) => (request[field] === true) === value),
  )
}

/** @param lengthOf the window of a stage, in milliseconds */
export function planStage(stage: Stage, lengthOf: (name: string, declared: string) => number): PlannedStage {
  const { name, summary, reached, window, onTimeout, onLockerOutOfService, cancels, completedBy } = stage
  return {
    name,
    summary,
    reached: { ...reached },
    window: window === null ? null : lengthOf(name, window),
    onTimeout,
    ...(onLockerOutOfService && { onLockerOutOfService }),
    cancels: [...cancels],
    completedBy: completedBy ? { ...completedBy } : null,
  }
}

/** The steps of an account flow, as stages that only the flow itself completes. */
export function planSteps({ steps }: AccountFlowDeclaration): PlannedStage[] {
  return steps.map(({ name, summary }) => ({
    name,
    summary,
    reached: {},
    window: null,
    onTimeout: null,
    cancels: [],
    completedBy: null,
  }))
}
