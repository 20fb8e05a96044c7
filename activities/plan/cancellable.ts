import { type Json, kindOf, type Planning } from '#flows'
import type { FlowDeclaration, Step } from '#flows/declaration'
import { addCancels, keptIn, type StepDraft } from './cancels.ts'
import { planRoles } from './roles.ts'
import { type Placed, placeAll } from './step.ts'

/**
 * The roles that clean-up may cancel in each step that an input does not leave out, by the rules of the machines. The
 * input may be a part of one: the fields that conditions and bookings depend on.
 */
export function cancellableIn(
  flow: FlowDeclaration,
  input: Readonly<Record<string, unknown>>,
): ReadonlyMap<Step, readonly string[]> {
  const placed = placeAll(flow, { input: input as Json })
  const steps = addCancels(
    placed.map(place => toDraft(place, input)),
    index => keptIn(placed[index]?.step),
  )
  return new Map(placed.map(({ step }, index) => [step, steps[index]?.cancels ?? []]))
}

function toDraft({ step, when, lists, end }: Placed, input: Readonly<Record<string, unknown>>): StepDraft {
  const common = { ...step, ...(typeof when === 'object' && { when }) }
  if ('wait' in step) return { ...common, kind: 'wait', reached: step.wait } as unknown as StepDraft
  if ('book' in step) {
    const request = step.request ?? { value: input as Json }
    return { ...common, kind: 'book', operation: step.book, request, roles: planRoles(step, request) } as never
  }
  if (lists.length === 0) return common as unknown as StepDraft
  // No window bears on what a list does to its shipments.
  const planning = { lists, end, timedWindow: () => null, onTimeout: () => null, interval: () => null }
  return { ...common, ...kindOf(step).plan(step, planning as unknown as Planning) } as unknown as StepDraft
}
