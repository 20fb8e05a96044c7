import { describePoint, kindNameOf, kindOf, type PictureStep } from '#flows'
import type { FlowDeclaration, Step, Window } from '#flows/declaration'
import { type DiagramOptions, waysFrom } from './diagram.ts'
import { holdersOf, type PlacedStep, treeOf } from './model/tree.ts'
import { drawSvg } from './runSvg.ts'

/** An SVG picture of a flow: one row for each step, its progress, and the arrows between them. A row shows the window. */
export function flowSvg(flow: FlowDeclaration, { at }: DiagramOptions = {}): string {
  const { name, summary } = flow
  const tree = treeOf(flow)
  const steps = tree.map(({ step }) => step)
  const names = steps.map(step => step.name)
  const current = at === 'end' ? steps.length : names.indexOf(at ?? '')
  const rows = tree.map(placed =>
    toRow(placed, placed.index < current ? 'done' : placed.index === current ? 'current' : 'ahead'),
  )
  const arrows = steps.flatMap((_, from) =>
    [...new Set([...waysFrom(flow, from).values()].flatMap(targets => [...targets]))].map(to => ({
      ...{ from, to },
      isWalked: false,
    })),
  )
  const run = { flow: name, caseNo: '', summary, outcome: null, overdue: false, until: null, steps: rows }
  return drawSvg(run, name, arrows)
}

function toRow(placed: PlacedStep, state: PictureStep['state']): PictureStep {
  const { step } = placed
  const depth = holdersOf(placed).length
  const { name, summary } = step
  return {
    name,
    kind: kindNameOf(step),
    summary,
    state,
    since: null,
    left: null,
    cause: null,
    next: null,
    window: describeEnd(step),
    ...(depth > 0 && { depth }),
  }
}

/** The window of a step that waits, and what follows it: `7d, then remind`. */
function describeEnd(step: Step): string | null {
  const onTimeout = 'onTimeout' in step ? step.onTimeout : undefined
  // The window of work only limits its repetitions.
  if (onTimeout === undefined && 'window' in step) return null
  const text = toText(kindOf(step).end(step) ?? null)
  if (text === null || onTimeout === undefined) return text
  return `${text}, then ${typeof onTimeout === 'string' ? onTimeout : onTimeout.goTo}`
}

function toText(window: Window): string | null {
  return window === null || typeof window === 'string' ? window : describePoint(window)
}
