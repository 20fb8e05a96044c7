// Checks that the parts of a declaration fit together: names, operations, fields, types and limits.
import type { FlowDeclaration } from '#flows/declaration'
import type { Finding } from '../fault.ts'
import { limitFindings } from './currentDetails.ts'
import { nameFindings } from './names.ts'
import { outputFindings } from './outputs.ts'
import { stepFindings } from './steps.ts'
import { unusedFindings } from './unused.ts'

/** @param flow of a valid form */
export function checkReferences(
  flow: FlowDeclaration,
  { activities, calendars }: { readonly activities?: Iterable<string>; readonly calendars?: boolean },
): Finding[] {
  const registered = activities && new Set(activities)
  return [
    ...nameFindings(flow),
    ...flow.steps.flatMap((_, index) => stepFindings(flow, index, { activities: registered, calendars })),
    ...outputFindings(flow),
    ...unusedFindings(flow),
    ...limitFindings(flow),
  ]
}
