import { toPrintable } from '#contract/terms'
import { allSteps, type Cause, describePoint, kindOf, listsOf, toConnectives } from '#flows'
import type { Comparison, FlowDeclaration, Step, When, Window } from '#flows/declaration'
import { toNodeId } from './diagramId.ts'
import { isAsk, isBook, isCall, isRun, isWait } from './model/flow.ts'
import { type PlacedStep, treeOf } from './model/tree.ts'
import { explore } from './ways/explore.ts'

export interface DiagramOptions {
  /** The current step of a flow: it and the steps before it are marked. `end` marks all. */
  readonly at?: string
}

interface Arrow {
  readonly from: string
  readonly to: string
  readonly label: string
  readonly dotted: boolean
}

const styles = [
  '  classDef done fill:#d6f5d6,stroke:#2e7d32',
  '  classDef current fill:#fff3c4,stroke:#b26a00,stroke-width:3px',
]

/**
 * A Mermaid picture of a flow: its steps by kind, the arrows between them, and its progress. The condition of an arrow
 * that only some flows take follows its cause. For a flow that is too complex, each step leads to the next one.
 *
 * ```ts
 * console.log(flowDiagram(flows.issue, { at: 'pickUp' }))
 * ```
 */
export function flowDiagram(flow: FlowDeclaration, { at }: DiagramOptions = {}): string {
  const lines = [...new Set(arrowsOf(flow).map(toLine))]
  return [
    '```mermaid',
    'flowchart LR',
    `  start([${flow.name}]) --> ${toNode(flow.steps[0])}`,
    ...new Set(shapesOf(flow)),
    ...lines,
    ...(at === undefined ? [] : progress(flow, at)),
    '```',
  ].join('\n')
}

function toLine({ from, to, label, dotted }: Arrow): string {
  return `  ${from} ${dotted ? '-.->' : '-->'}|${toLabel(label)}| ${to}`
}

/** The text of an arrow. */
export function toLabel(text: string): string {
  return /^[\w ,.:-]*$/.test(text) ? text : `"${escapeLabel(text)}"`
}

function arrowsOf(flow: FlowDeclaration): Arrow[] {
  return treeOf(flow).flatMap(({ step, index }) => [...forward(flow, step, index), ...aside(step)])
}

/** The node of a step, and that of the end after the last one. */
export function toNode(step: Step | undefined): string {
  return step === undefined ? 'completed' : toNodeId(step.name)
}

/** The arrows to later steps, by cause. */
function forward(flow: FlowDeclaration, step: Step, index: number): Arrow[] {
  const ways = waysFrom(flow, index)
  const tree = treeOf(flow)
  return [...ways].flatMap(([cause, targets]) => {
    const names = new Set([...targets].map(target => tree[target]?.step.name))
    return [...targets]
      .toSorted((a, b) => a - b)
      .map(target => {
        const next = tree[target]?.step
        const condition = names.size > 1 && next?.when ? [describeWhen(next.when)] : []
        return {
          from: toNode(step),
          to: toNode(next),
          label: [describeCause(step, cause), ...condition].join(', '),
          dotted: cause.startsWith('error:') || cause === 'timeout.goTo',
        }
      })
  })
}

const explored = new WeakMap<FlowDeclaration, Map<number, Map<Cause, Set<number>>>>()

/** The steps to which each cause leads from a step, by index. The number of steps is the end. */
export function waysFrom(flow: FlowDeclaration, index: number): Map<Cause, Set<number>> {
  const known = explored.get(flow) ?? exploreArrows(flow)
  explored.set(flow, known)
  return known.get(index) ?? new Map()
}

function exploreArrows(flow: FlowDeclaration): Map<number, Map<Cause, Set<number>>> {
  const ways = new Map<number, Map<Cause, Set<number>>>()
  const add = (from: number, cause: Cause, to: number) => {
    const causes = ways.get(from) ?? new Map<Cause, Set<number>>()
    ways.set(from, causes.set(cause, (causes.get(cause) ?? new Set()).add(to)))
  }
  const isComplete = explore(
    flow,
    { others: true, origins: true },
    {
      arrived: ({ step, cause }, next) => add(step, cause, next),
    },
  )
  if (!isComplete) for (const { index } of treeOf(flow)) add(index, 'reached', index + 1)
  return ways
}

/** The arrows of an expired window that lead to no later step. */
function aside(step: Step): Arrow[] {
  if (!('onTimeout' in step)) return []
  const { window = null, onTimeout } = step
  const from = toNode(step)
  if (onTimeout === 'cancel') return [{ from, to: 'expired', label: describeWindow(window), dotted: true }]
  if (onTimeout !== 'remind' && onTimeout !== 'ask') return []
  return [{ from, to: from, label: `${describeWindow(window)}: ${onTimeout}`, dotted: true }]
}

function describeCause(step: Step, cause: Cause): string {
  if (cause.startsWith('answer:')) return cause.slice('answer:'.length)
  if (cause.startsWith('error:')) return cause.slice('error:'.length)
  if (cause === 'timeout.goTo' && 'onTimeout' in step) return describeWindow(step.window ?? null)
  if (listsOf(step).length > 0) return cause
  if (isBook(step)) return 'booked'
  if (isWait(step)) {
    const states = Object.entries(step.wait).map(([role, state]) => `${role} ${state}`)
    return states.join(', ')
  }
  const end = 'window' in step ? undefined : kindOf(step).end(step)
  return end === undefined ? 'done' : describeWindow(end)
}

function describeWindow(window: Window): string {
  if (window === null) return 'no window'
  if (typeof window === 'string') return `${window} pass`
  return describePoint(window)
}

/** A condition in a few words: `IsReceiverDelayed`, `without IsReceiverDelayed`, `answer of offer is agree`. */
export function describeWhen(when: When): string {
  const { any, all, not } = toConnectives(when)
  if (any) return any.map(describeWhen).join(' or ')
  if (all) return all.map(describeWhen).join(' and ')
  if (not) return `not (${describeWhen(not)})`
  return Object.entries(when as Readonly<Record<string, Comparison>>)
    .map(([path, comparison]) => describeComparison(path.replace(/^input\./, ''), comparison))
    .join(', ')
}

const wordsOf: Readonly<Record<string, string>> = {
  is: 'is',
  not: 'is not',
  in: 'is one of',
  lessThan: 'is less than',
  moreThan: 'is more than',
  atMost: 'is at most',
  atLeast: 'is at least',
}

function describeComparison(path: string, comparison: Comparison): string {
  if (comparison === true) return path
  if (comparison === false || comparison === null) return `without ${path}`
  if (typeof comparison !== 'object') return `${path} is ${comparison}`
  if ('present' in comparison) return comparison.present ? path : `without ${path}`
  const [[word = '', value] = []] = Object.entries(comparison)
  return `${path} ${wordsOf[word] ?? word} ${describeSource(value)}`
}

function describeSource(value: unknown): string {
  if (Array.isArray(value)) return value.map(describeSource).join(' or ')
  if (typeof value === 'object' && value !== null && 'from' in value) return String(value.from)
  return String(value)
}

/** The shapes of all steps, those of a block in a box. */
export function shapesOf(flow: FlowDeclaration): string[] {
  const shapesIn = (steps: readonly PlacedStep[], depth: number): string[] =>
    steps.flatMap(({ step, lists }) => {
      const inner = lists.flatMap(list => shapesIn(list.steps, depth + 1))
      const name = toNodeId(step.name)
      if (lists.length === 0) return depth === 0 ? shapeOf(step) : [...shapeOf(step), `  ${name}`]
      return [`  ${name}{{"${step.name}"}}`, `  subgraph in_${name} ["${step.name}"]`, ...inner, '  end']
    })
  return shapesIn(treeOf(flow)[0]?.list.steps ?? [], 0)
}

/** Mermaid's shapes, for the kinds that people or programs work in. A wait is a plain box, which needs none. */
export function shapeOf(step: Step): string[] {
  const { name } = step
  const id = toNodeId(name)
  if (isAsk(step)) return [`  ${id}{{"${name}: ${escapeLabel(step.who)}"}}`]
  if (isRun(step)) return [`  ${id}[["${name}: ${escapeLabel(step.run)}"]]`]
  if (isCall(step)) return [`  ${id}[/"${name}: ${step.call}"/]`]
  if ('sleep' in step) return [`  ${id}(["${name}"])`]
  return id === name ? [] : [`  ${id}["${name}"]`]
}

/** Mermaid reads entities and HTML in a label, and no quotes. */
export function escapeLabel(text: string): string {
  return toPrintable(text)
    .replaceAll('#', '#35;')
    .replaceAll('"', '#quot;')
    .replaceAll('<', '#lt;')
    .replaceAll('>', '#gt;')
}

function progress(flow: FlowDeclaration, at: string): string[] {
  const steps = allSteps(flow.steps)
  const names = [...new Set(steps.map(({ name }) => name))]
  const index = at === 'end' ? names.length : names.indexOf(at)
  const done = names.slice(0, Math.max(0, index))
  return [
    ...styles,
    ...(done.length > 0 ? [`  class ${done.map(toNodeId).join(',')} done`] : []),
    ...(index >= 0 && index < names.length ? [`  class ${toNodeId(at)} current`] : []),
  ]
}
