import { allSteps } from '#flows'
import type { FlowDeclaration, Step } from '#flows/declaration'
import type { Finding } from '../fault.ts'
import { allComparisons, conditionsOf } from '../model/conditions.ts'
import { bookedBy, isAsk, isWait } from '../model/flow.ts'
import { headOf } from '../model/source.ts'
import { holdersOf, type PlacedStep, treeOf } from '../model/tree.ts'
import { outputConditions, outputSources } from './outputs.ts'

/** Findings of roles and answers on which nothing depends. */
export function unusedFindings(flow: FlowDeclaration): Finding[] {
  return [
    ...treeOf(flow).flatMap(placed => roleFindings(flow, placed)),
    ...treeOf(flow).flatMap(placed => answerFindings(flow, placed)),
  ]
}

function roleFindings(flow: FlowDeclaration, { step, at }: PlacedStep): Finding[] {
  const steps = allSteps(flow.steps)
  const moved = new Set([
    ...steps.filter(isWait).flatMap(({ wait, keep = [] }) => [...Object.keys(wait), ...keep]),
    ...[...steps.flatMap(collectPaths), ...outputPaths(flow)].map(headOf),
  ])
  return bookedBy(step)
    .filter(role => !moved.has(role))
    .map(role => ({
      at: [...at, 'book'],
      code: 'RoleNeverMoves',
      text: `must book what the flow uses: the role ${role} must be waited for, be in a source or an output, or be listed in keep.`,
    }))
}

/** A step with one answer is a confirmation. */
function answerFindings(flow: FlowDeclaration, { step, index, at, list }: PlacedStep): Finding[] {
  if (!isAsk(step) || Object.keys(step.ask).length < 2) return []
  const later = allSteps(flow.steps).slice(index + 1)
  const around = list.holder === undefined ? [] : holdersOf({ list } as PlacedStep).map(({ step: holder }) => holder)
  const isRead = [...[...around, ...later].flatMap(pathsOfStep), ...outputPaths(flow)].some(
    path => path === step.name || path.startsWith(`${step.name}.`),
  )
  if (isRead) return []
  const text = `must offer answers that something depends on: nothing reads "${step.name}.answer" or a field of an answer.`
  return [{ at: [...at, 'ask'], code: 'UnusedAnswer', text }]
}

/** Every path of a step: in its condition, and in any of its sources. */
function pathsOfStep(step: Step): string[] {
  return [
    ...conditionsOf(step)
      .flatMap(allComparisons)
      .map(([path]) => path),
    ...collectPaths(step),
  ]
}

/** Collects every path of a source, at any depth. */
function collectPaths(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, below]) =>
    ['from', 'at'].includes(key) && typeof below === 'string' ? [below] : collectPaths(below),
  )
}

function outputPaths(flow: FlowDeclaration): string[] {
  return [...outputSources(flow).map(({ source }) => source), ...outputConditions(flow)]
}
