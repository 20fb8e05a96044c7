// The kinds of steps. Each is a folder, and a line in both lists of this file.
import type { Source } from '../declaration/sources.ts'
import { ask } from './ask/index.ts'
import type { AskStep, PlannedAsk } from './ask/step.ts'
import { book } from './book/index.ts'
import type { BookStep, PlannedBook } from './book/step.ts'
import { call } from './call/index.ts'
import type { CallStep, PlannedCall } from './call/step.ts'
import type { Kind } from './kind.ts'
import type { PlannedCommon } from './planned.ts'
import { run } from './run/index.ts'
import type { PlannedRun, RunStep } from './run/step.ts'
import { sleep } from './sleep/index.ts'
import type { PlannedSleep, SleepStep } from './sleep/step.ts'
import { wait } from './wait/index.ts'
import type { PlannedWait, WaitStep } from './wait/step.ts'

/** The declared and the planned step of each kind. */
interface Kinds {
  book: [BookStep, PlannedBook]
  wait: [WaitStep, PlannedWait]
  ask: [AskStep, PlannedAsk]
  call: [CallStep, PlannedCall]
  run: [RunStep, PlannedRun]
  sleep: [SleepStep, PlannedSleep]
}

const kinds: { readonly [Name in StepKind]: Kind<Kinds[Name][0], Kinds[Name][1]> } = {
  book,
  wait,
  ask,
  call,
  run,
  sleep,
}

export type StepKind = keyof Kinds

/** One step of a flow. Its kind is its key: exactly one of `book`, `wait`, `ask`, `call`, `run` and `sleep`. */
export type Step = Kinds[StepKind][0]

export type PlannedStep = Kinds[StepKind][1]

export const kindNames = Object.keys(kinds) as StepKind[]

export function kindOf(step: Step): Kind<Step, PlannedCommon> {
  // A step has the key of its kind, and the table has each kind for its steps.
  return kinds[kindNameOf(step)] as Kind<Step, PlannedCommon>
}

export function kindNameOf(step: Step): StepKind {
  return kindNames.find(name => name in step) ?? 'wait'
}

/** The value that a step sends. Undefined for a step that sends none, and for a request that is the input of its flow. */
export function sentBy(step: Step | PlannedStep): Source | undefined {
  if ('with' in step) return step.with
  return 'request' in step ? step.request : undefined
}
