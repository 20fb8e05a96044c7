// Checks that the parts of a declaration fit together: names, operations, fields, types and limits.
import type { FlowDeclaration } from '#flows/declaration'
import type { Finding } from '../fault.ts'
import { treeOf } from '../model/tree.ts'
import { blockFindings, escapeFindings } from './blocks.ts'
import { limitFindings } from './currentDetails.ts'
import { nameFindings } from './names.ts'
import { outputFindings } from './outputs.ts'
import { sharedFindings } from './sharedRoles.ts'
import { stepFindings } from './steps.ts'
import { unusedFindings } from './unused.ts'

/** @param flow of a valid form */
export function checkReferences(
  flow: FlowDeclaration,
  { activities, calendars }: { readonly activities?: Iterable<string>; readonly calendars?: boolean },
): Finding[] {
  const registered = activities && new Set(activities)
  const escapes = escapeFindings(flow)
  // The path of such a finding exists, and only not here.
  const isKnown = ({ code, at, text }: Finding) =>
    code === 'UnknownPath' &&
    escapes.some(each => at.join('.').startsWith(each.at.slice(0, -1).join('.')) && text.includes(`"${each.path}"`))
  const findings = [
    ...nameFindings(flow),
    ...treeOf(flow).flatMap(placed => stepFindings(flow, placed, { activities: registered, calendars })),
    ...blockFindings(flow),
    ...sharedFindings(flow),
    ...outputFindings(flow),
    ...unusedFindings(flow),
    ...limitFindings(flow),
  ]
  return [...findings.filter(finding => !isKnown(finding)), ...escapes.map(({ path: _, ...finding }) => finding)]
}
