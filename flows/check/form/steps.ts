import { z } from 'zod'
import type { StepKind } from '#flows/declaration'
import { kinds } from '../kinds.ts'
import { sentences } from './parts/sentences.ts'

export const stepKinds = Object.keys(kinds) as StepKind[]

export const step = z.union(
  stepKinds.map(kind => kinds[kind].form),
  sentences.step,
)

/** The fields of a kind. */
export function fieldNames(kind: StepKind): string[] {
  return Object.keys(kinds[kind].form.unwrap().shape)
}
