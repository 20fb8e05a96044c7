import { allSteps, type FlowDeclaration } from '#flows'
import type { WaitStep } from '#flows/declaration'

/** The values that a request gives to the fields which steps depend on. */
type Flags = Readonly<Record<string, boolean>>

/** The wait steps of a flow. */
export function waitsOf({ steps }: FlowDeclaration): readonly WaitStep[] {
  return allSteps(steps).filter(step => 'wait' in step)
}

/** Every combination of the fields that steps depend on. A flow without such fields has one empty combination. */
export function toFlags(flow: FlowDeclaration): Flags[] {
  const fields = new Set(waitsOf(flow).flatMap(({ when = {} }) => Object.keys(when).map(toField)))
  return [...fields].reduce<Flags[]>(
    (known, field) => known.flatMap(flags => [false, true].map(value => ({ ...flags, [field]: value }))),
    [{}],
  )
}

/** The field of a path such as `input.IsReceiverDelayed`. */
export function toField(path: string): string {
  return path.slice('input.'.length)
}
