// Explores every way of a flow with the machine of shipments, and checks that all of them are sound.
import type { FlowDeclaration } from '#flows/declaration'
import type { FieldPath, Finding } from '../fault.ts'
import { isWait } from '../model/flow.ts'
import { treeOf } from '../model/tree.ts'
import { explore, maxNodes } from './explore.ts'
import { WayRecord } from './record.ts'
import { hasReached } from './situation/parts.ts'

/** @param flow of a valid form and with valid references */
export function checkWays(flow: FlowDeclaration): Finding[] {
  const all = new WayRecord(flow)
  const own = new WayRecord(flow)
  const isComplete = explore(flow, { others: true }, all) && explore(flow, { others: false }, own)
  if (!isComplete) {
    const text = `must have at most ${maxNodes.toLocaleString('en')} situations to be explored. Read answers soon after they are given.`
    return [{ at: ['steps'], code: 'TooComplex', text }]
  }
  const waits = waitFindings(flow, own)
  return [
    ...all.findings,
    ...keepFindings(flow, all),
    ...waits,
    // A wait that never ends hides the steps after it.
    ...(waits.length > 0 ? [] : unreachableFindings(flow, all)),
  ]
}

/** Steps that no way enters. */
function unreachableFindings(flow: FlowDeclaration, { reachable }: WayRecord): Finding[] {
  return treeOf(flow).flatMap(({ index, at, step: { when } }) =>
    reachable.has(index)
      ? []
      : [
          {
            at: [...at, ...(when === undefined ? [] : ['when'])],
            code: 'StepUnreachable' as const,
            text:
              when === undefined
                ? 'must be reachable, but every path leads past it.'
                : 'must be reachable, but no input or answer fulfils its condition here.',
          },
        ],
  )
}

/** Waits that are over when they begin, and waits that nothing ends. */
function waitFindings(flow: FlowDeclaration, own: WayRecord): Finding[] {
  return treeOf(flow).flatMap(({ index, step, at: place }): Finding[] => {
    if (!isWait(step) || !own.reachable.has(index)) return []
    if (!own.open.has(index)) {
      const known = Object.keys(step.wait).map(
        role => `${role} is ${own.knownStates(index, role).join(' or ')} already`,
      )
      const text = `must wait for something new, but ${known.join(' and ')}.`
      return [{ at: [...place, 'wait'], code: 'OverAtStart', text }]
    }
    if (own.left.has(index)) return []
    const late = Object.entries(step.wait).find(
      ([role, wanted]) => !own.states(index, role).some(state => hasReached(state, wanted)),
    )
    const at: FieldPath = [...place, 'wait', ...(late ? [late[0]] : [])]
    const text = late
      ? `must be reachable: nothing in the flow leads to "${late[1]}", ${late[0]} can be ${own.states(index, late[0]).join(' or ')}.`
      : 'must be reachable: nothing in the flow leads to these states together.'
    return [{ at, code: 'WaitNeverEnds', text }]
  })
}

/** Kept roles that clean-up could cancel in some situation of the step. */
function keepFindings(flow: FlowDeclaration, all: WayRecord): Finding[] {
  return treeOf(flow).flatMap(({ index, step, at }) =>
    (isWait(step) ? (step.keep ?? []) : []).flatMap((role, place) =>
      all.canBeEmpty(index, role)
        ? [
            {
              at: [...at, 'keep', place],
              code: 'LeavesBooking' as const,
              text: `must not keep ${role}: it could be cancelled, and its locker would stay booked.`,
            },
          ]
        : [],
    ),
  )
}
