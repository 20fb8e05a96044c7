// The kinds of steps. Each is a folder, and a line in both lists of this file.
import type { Source } from '../declaration/sources.ts'
import { ask } from './ask/index.ts'
import type { AskStep, PlannedAsk } from './ask/step.ts'
import type { PlannedBlock } from './blocks.ts'
import { book } from './book/index.ts'
import type { BookStep, PlannedBook } from './book/step.ts'
import { call } from './call/index.ts'
import type { CallStep, PlannedCall } from './call/step.ts'
import { forEach } from './forEach/index.ts'
import type { ForEachStep, PlannedForEach } from './forEach/step.ts'
import { group } from './group/index.ts'
import type { GroupStep, PlannedGroup } from './group/step.ts'
import type { Kind } from './kind.ts'
import type { DeclaredList } from './lists.ts'
import { parallel } from './parallel/index.ts'
import type { ParallelStep, PlannedParallel } from './parallel/step.ts'
import type { PlannedCommon } from './planned.ts'
import { repeat } from './repeat/index.ts'
import type { PlannedRepeat, RepeatStep } from './repeat/step.ts'
import { run } from './run/index.ts'
import type { PlannedRun, RunStep } from './run/step.ts'
import { sleep } from './sleep/index.ts'
import type { PlannedSleep, SleepStep } from './sleep/step.ts'
import { switchCases } from './switch/index.ts'
import type { PlannedSwitch, SwitchStep } from './switch/step.ts'
import { wait } from './wait/index.ts'
import type { PlannedWait, WaitStep } from './wait/step.ts'

/** The declared and the planned step of each kind. */
interface Leaves {
  book: [BookStep, PlannedBook]
  wait: [WaitStep, PlannedWait]
  ask: [AskStep, PlannedAsk]
  call: [CallStep, PlannedCall]
  run: [RunStep, PlannedRun]
  sleep: [SleepStep, PlannedSleep]
}

interface Blocks<Inner> {
  parallel: [ParallelStep<Inner>, PlannedParallel]
  forEach: [ForEachStep<Inner>, PlannedForEach]
  repeat: [RepeatStep<Inner>, PlannedRepeat]
  switch: [SwitchStep<Inner>, PlannedSwitch]
  group: [GroupStep<Inner>, PlannedGroup]
}

type Kinds = Leaves & Blocks<Step>

const kinds: { readonly [Name in StepKind]: Kind<Kinds[Name][0], Kinds[Name][1], Step> } = {
  book,
  wait,
  ask,
  call,
  run,
  sleep,
  parallel: parallel(),
  forEach: forEach(),
  repeat: repeat(),
  switch: switchCases(),
  group: group(),
}

export type StepKind = keyof Kinds

/** One step of a flow. Its kind is its key. */
export type Step =
  | LeafStep
  | GroupStep<Step>
  | SwitchStep<Step>
  | ParallelStep<Step>
  | ForEachStep<Step>
  | RepeatStep<Step>

/** A declared step without steps of its own. */
export type LeafStep = Leaves[keyof Leaves][0]

/** A planned step without steps of its own. */
export type PlannedLeaf = Leaves[keyof Leaves][1]

export type PlannedStep = PlannedLeaf | PlannedBlock

export const kindNames = Object.keys(kinds) as StepKind[]

export function kindOf(step: Step): Kind<Step, PlannedCommon, Step> {
  // A step has the key of its kind, and the table has each kind for its steps.
  return kinds[kindNameOf(step)] as Kind<Step, PlannedCommon, Step>
}

export function kindNameOf(step: Step): StepKind {
  return kindNames.find(name => name in step) ?? 'wait'
}

/** The lists of steps in a block; none in any other step. */
export function listsOf(step: Step): readonly DeclaredList<Step>[] {
  return kindOf(step).lists?.(step) ?? []
}

/** All steps of lists, each before its own: the order in which a plan and the edges number them. */
export function allSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap(step => [step, ...listsOf(step).flatMap(list => allSteps(list.steps))])
}

/** Steps with a change of each of them, those of blocks included. */
export function mapSteps(steps: readonly Step[], change: (step: Step) => Step): Step[] {
  const inside = <List extends { readonly steps: readonly Step[] }>(list: List): List => ({
    ...list,
    steps: mapSteps(list.steps, change),
  })
  return steps.map(change).map(step => {
    if ('group' in step) return { ...step, group: mapSteps(step.group, change) }
    if ('parallel' in step) return { ...step, parallel: step.parallel.map(inside) }
    if ('switch' in step) return { ...step, switch: step.switch.map(inside) }
    return 'steps' in step ? inside(step) : step
  })
}

/** The value that a step sends. Undefined for a step that sends none, and for a request that is the input of its flow. */
export function sentBy(step: Step | PlannedStep): Source | undefined {
  if ('with' in step) return step.with
  return 'request' in step ? step.request : undefined
}
