import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { allSteps, flows as builtIn, type FlowDeclaration, mapSteps, parseDuration, type RunCall } from '#flows'
import type { Runs } from '#testing/story'
import type { OwnActivity } from '#worker'
import type { RealFaults } from './faults.ts'

/** The activities of the story that is told now. */
export interface PlayedRuns {
  readonly runs: Runs
  /** The activities that have succeeded, in their order. */
  readonly ran: string[]
}

/** Milliseconds. Below the shortest heartbeat that a declaration sensibly has. */
const heartbeatInterval = 1_000

/** The activities of built-in flows, which a worker has under their own names. */
const built: readonly string[] = Object.values<FlowDeclaration>(builtIn).flatMap(({ steps }) =>
  allSteps(steps).flatMap(step => ('run' in step ? [step.run] : [])),
)

/** The name of an activity of a built-in flow that returns what a case says. */
const toPlayedName = (name: string) => `${name}OfCase`

/** A built-in flow with activities that return what a case says. */
export function withPlayedNames(flow: FlowDeclaration): FlowDeclaration {
  const steps = mapSteps(flow.steps, step => ('run' in step ? { ...step, run: toPlayedName(step.run) } : step))
  return { ...flow, steps }
}

/** Activities that return what a case says, for every run step of built-in and custom flows and for every undo. */
export function playedActivities(
  flows: readonly FlowDeclaration[],
  faults: RealFaults,
  factor: number,
  playedOf: (caseNo: string) => PlayedRuns | undefined,
): Readonly<Record<string, OwnActivity>> {
  const steps = flows.flatMap(({ steps }) => allSteps(steps).flatMap(step => ('run' in step ? [step] : [])))
  const names = steps.map(({ run }) => run)
  const undone = steps.flatMap(({ undo }) => (typeof undo === 'string' && undo !== 'nothing' ? [undo] : []))
  const play = (name: string) => async (_input: never, call: RunCall) => {
    const played = playedOf(call.caseNo)
    const run = played?.runs[name]
    if (run?.takes !== undefined) await work((parseDuration(run.takes) ?? 0) * factor)
    const fault = faults.take(name)
    if (fault !== undefined) {
      const { code } = fault
      const message = 'The story lets it fail.'
      throw ApplicationFailure.create({ type: code ?? 'Unavailable', message, nonRetryable: code !== undefined })
    }
    if (run === undefined && !undone.includes(name)) {
      throw ApplicationFailure.nonRetryable(`runs.${name}: must be given, since cases run no activities.`, 'RunMissing')
    }
    played?.ran.push(name)
    return run?.returns ?? null
  }
  const own = [...names, ...undone].map(name => [name, play(name)] as const)
  return Object.fromEntries([...own, ...built.map(name => [toPlayedName(name), play(name)] as const)])
}

/** Lets time pass. A cancellation ends it in a step with a heartbeat, as in a simulation. */
async function work(length: number): Promise<void> {
  const context = Context.current()
  if (context.info.heartbeatTimeoutMs === undefined) return context.sleep(length)
  const timer = setInterval(() => context.heartbeat(), heartbeatInterval)
  try {
    await context.sleep(length)
  } finally {
    clearInterval(timer)
  }
}
