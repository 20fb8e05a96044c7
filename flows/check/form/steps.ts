import { z } from 'zod'
import type { Step, StepKind } from '#flows/declaration'
import { blocks, kinds } from '../kinds.ts'
import type { StepList } from './parts/list.ts'
import { limits, sentences } from './parts/sentences.ts'

/** In the order in which a fault lists the kinds. */
export const stepKinds = [...Object.keys(kinds), ...Object.keys(blocks)] as StepKind[]

export const steps: StepList = z
  .lazy(() => z.array(step).min(1, sentences.steps).max(limits.steps, sentences.steps).readonly())
  .meta({ id: 'Steps', description: 'Steps in their order.' })

const forms = {
  ...Object.fromEntries(Object.entries(kinds).map(([kind, { form }]) => [kind, form])),
  ...Object.fromEntries(Object.entries(blocks).map(([kind, { form }]) => [kind, form(steps)])),
} as unknown as Record<StepKind, z.ZodReadonly<z.ZodObject> & z.ZodType<Step, Step>>

export const step: z.ZodType<Step, Step> = z.union(
  stepKinds.map(kind => forms[kind]),
  sentences.step,
)

/** The fields of a kind. */
export function fieldNames(kind: StepKind): string[] {
  return Object.keys(forms[kind].unwrap().shape)
}
