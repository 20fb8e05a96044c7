import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { isFinalState, states } from '#contract/terms'
import type { AskStep, Step } from '#flows/declaration'
import { closeWorlds, openSimulation, type SimulatedRun, type StoryEvent } from '#testing/simulator'
import { exampleOf } from '../../support/flows/drive.ts'
import { type RandomFlow, randomFlow } from '../../support/flows/randomFlows.ts'
import { seeded } from '../../support/seed.ts'

/** Longer than any random flow lasts, its lost attempts included. */
const maxTurns = 300

/** Work that takes time, so that a worker can be lost meanwhile. */
const runs = { work: { returns: { at: 1 }, takes: '5s' }, undoWork: { returns: {}, takes: '5s' } } as const

afterAll(closeWorlds)

test('random flows come to the same end, whenever workers are lost', async () => {
  let lostAttempts = 0
  await fc.assert(
    fc.asyncProperty(
      randomFlow('random'),
      fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
      async (random, losses) => {
        const reporting = withHeartbeats(random)
        const undisturbed = await runOf(reporting, [])
        const disturbed = await runOf(reporting, losses)
        lostAttempts += attemptsOf(disturbed) - attemptsOf(undisturbed)
        expect(summaryOf(disturbed)).toEqual(summaryOf(undisturbed))
        expectUndone(reporting, disturbed)
        // A cancelled attempt without heartbeats returns its result, or is lost with it.
        expectUndone(random, await runOf(random, losses))
      },
    ),
    seeded(60),
  )
  expect(lostAttempts).toBeGreaterThan(0)
})

/** Adds heartbeats to a flow, so that its attempts stop when it is cancelled. */
function withHeartbeats({ flow, ...random }: RandomFlow): RandomFlow {
  const steps = flow.steps.map(step => ('run' in step ? { ...step, heartbeat: step.timeout } : step))
  return { ...random, flow: { ...flow, steps } }
}

/** @param losses true for each turn in which the worker is lost */
async function runOf({ flow, cancelIn, neglected, choices }: RandomFlow, losses: readonly boolean[]) {
  const simulation = await openSimulation({ flows: { [flow.name]: flow }, runs })
  try {
    const left = [...choices]
    const choose = (count: number) => (left.shift() ?? 0) % count
    const done = new Set<string>()
    let isCancelled = false
    await simulation.start({ flow: flow.name, request: { userUid: { $user: 1 } } })
    for (let turn = 0; !simulation.hasEnded; turn++) {
      expect(turn).toBeLessThan(maxTurns)
      if (losses[turn]) await simulation.apply({ loseWorker: true })
      const { step: name, overdue } = simulation.status()
      const step = flow.steps.find(each => each.name === name)
      const event = isCancelled || step === undefined ? undefined : nextEvent(step, overdue)
      if (event === undefined) await simulation.jump()
      else expect(await simulation.apply(event)).toEqual({ kind: 'done' })
    }
    return simulation.run()

    function nextEvent(step: Step, overdue: boolean): StoryEvent | undefined {
      if (step.name === cancelIn) {
        isCancelled = true
        return { cancel: 'random' }
      }
      if (done.has(step.name) || !('ask' in step || 'wait' in step)) return undefined
      if (overdue && !done.has(`${step.name} decided`)) {
        done.add(`${step.name} decided`)
        return { decide: choose(2) === 0 ? 'keepWaiting' : 'cancel' }
      }
      if (neglected.includes(step.name) && !done.has(`${step.name} decided`)) return undefined
      done.add(step.name)
      return 'ask' in step ? answerTo(step, choose) : openingOf(step)
    }
  } finally {
    await simulation.close()
  }
}

function answerTo({ name, ask }: AskStep, choose: (count: number) => number): StoryEvent {
  const names = Object.keys(ask)
  const answer = names[choose(names.length)] ?? ''
  const fields = Object.entries(ask[answer] ?? {}).map(([field, type]) => [field, exampleOf(type)] as const)
  return { answer, step: name, fields: Object.fromEntries(fields) }
}

function openingOf(step: Extract<Step, { wait: object }>): StoryEvent {
  const [role = ''] = Object.keys(step.wait)
  return step.name.startsWith('in') ? { dropOff: role } : { pickUp: role }
}

/** Everything but times, uids and attempts. */
function summaryOf({ edges, outcome, code, bookings, leftOver, status, timeLine }: SimulatedRun) {
  return {
    edges,
    outcome,
    code,
    outputs: status.result,
    bookings: bookings.map(({ role, stateCode }) => ({ role, stateCode })),
    leftOver: leftOver.map(({ step, reason }) => ({ step, reason })),
    completed: timeLine.flatMap(entry => (entry.kind === 'activityCompleted' ? [entry.activity] : [])).toSorted(),
  }
}

function attemptsOf({ timeLine }: SimulatedRun): number {
  return timeLine.reduce((sum, entry) => sum + ('attempts' in entry ? entry.attempts : 0), 0)
}

/** A flow that has not completed has cancelled its empty shipments, and undone every run that it had started. */
function expectUndone({ flow }: RandomFlow, { outcome, bookings, timeLine }: SimulatedRun): void {
  const active = bookings.filter(({ stateCode }) => !isFinalState(stateCode))
  expect(active.filter(({ stateCode }) => !states[stateCode as keyof typeof states].holdsItem)).toEqual([])
  const undone = timeLine.filter(entry => entry.kind === 'activityCompleted' && entry.activity === 'undoWork')
  const started = timeLine.flatMap(entry => {
    if (entry.kind !== 'activityScheduled' || entry.activity !== 'work') return []
    return flow.steps.filter(
      step => 'run' in step && step.undo === 'undoWork' && JSON.stringify(entry.args).includes(`"${step.name}"`),
    )
  })
  expect(undone).toHaveLength(outcome === 'completed' ? 0 : started.length)
}
