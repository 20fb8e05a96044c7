import type { FlowDeclaration, PlainDeclaration, Stage } from '#workflows/flows'
import type { PlannedStage } from '../interface.ts'

/** The stages that a request goes through: those without a condition, and those whose fields are as they say. */
export function stagesFor({ stages }: FlowDeclaration, request: Readonly<Record<string, unknown>>): readonly Stage[] {
  return stages.filter(({ when = {} }) =>
    Object.entries(when).every(([field, wanted]) => (request[field] === true) === wanted),
  )
}

/** @param lengthOf milliseconds of the window of a stage */
export function planned(stage: Stage, lengthOf: (name: string, declared: string) => number): PlannedStage {
  const { name, summary, reached, window, answer, cancels, order } = stage
  return {
    name,
    summary,
    reached: { ...reached },
    window: window === null ? null : lengthOf(name, window),
    answer,
    cancels: [...cancels],
    order: order ? { ...order } : null,
  }
}

/** The steps of a flow that books nothing, as stages that nothing but the flow itself brings about. */
export function plannedSteps({ steps }: PlainDeclaration): PlannedStage[] {
  return steps.map(({ name, summary }) => ({
    name,
    summary,
    reached: {},
    window: null,
    answer: null,
    cancels: [],
    order: null,
  }))
}
