import { expect } from 'vitest'
import type { StateCode } from '#contract/terms'
import type { Duration } from '#flows'
import type { AskStep, BookStep, FlowDeclaration, RunStep, SleepStep, Step, WaitStep } from '#flows/declaration'
import { openSimulation, type Simulation, type SimulationOptions, type StoryEvent } from '#testing/simulator'

const runs = { work: { returns: { done: 'yes' } }, undoWork: { returns: {} }, breaks: { returns: {} } } as const

/** A step whose effect and undo show in `effectsOf`. */
export function work(name: string, more: Partial<RunStep> = {}): RunStep {
  const own = { name, summary: `Step ${name}.`, run: 'work', with: { name } }
  return { ...own, keep: { done: 'text' }, undo: 'undoWork', timeout: '30s', ...more }
}

/** A step that fails with Broken. */
export function breaks(name: string, more: Partial<RunStep> = {}): RunStep {
  return work(name, { run: 'breaks', keep: {}, undo: 'nothing', ...more })
}

export function asks(name: string, more: Partial<AskStep> = {}): AskStep {
  return { name, summary: `Step ${name}.`, ask: { yes: {}, no: {} }, who: 'staff', window: null, ...more }
}

export function sleeps(name: string, sleep: SleepStep['sleep']): SleepStep {
  return { name, summary: `Step ${name}.`, sleep }
}

/** A booking of the role issue. */
export function books(name: string, more: Partial<BookStep> = {}): BookStep {
  const request = {
    PupUid: { from: 'input.PupUid' },
    ToUserUid: { from: 'input.ToUserUid' },
    AllowLargerLockers: true,
    AllowOverflowLockers: false,
    Dimension: { width: 1, height: 1, length: 1 },
  }
  return { name, summary: `Step ${name}.`, book: 'CreateLocalShipmentAsIssue', request, ...more }
}

export function waits(name: string, issue: StateCode, more: Partial<WaitStep> = {}): WaitStep {
  return { name, summary: `Step ${name}.`, wait: { issue }, window: null, ...more }
}

/** The input of `books`. */
export const booking = { PupUid: { $pup: 1 }, ToUserUid: { $user: 1 } }

/** A block with a summary. */
export function block<Block extends object>(name: string, rest: Block): Block & { name: string; summary: string } {
  return { name, summary: `Block ${name}.`, ...rest }
}

export function flowOf(steps: readonly Step[], outputs: FlowDeclaration['outputs'] = {}): FlowDeclaration {
  const parts = { optional: { list: { fields: { sku: { optional: 'text' } } } } } as const
  const input = { parts, PupUid: { optional: 'uid' }, ToUserUid: { optional: 'uid' } } as const
  return { name: 'blocks', summary: 'Blocks.', input, steps, outputs }
}

interface Played extends Pick<SimulationOptions, 'suggestedAt' | 'replaysEachTask' | 'notifications' | 'delivery'> {
  /** How long work takes. */
  readonly takes?: Duration
  readonly request?: Readonly<Record<string, unknown>>
  readonly story?: readonly StoryEvent[]
}

/** Starts a flow and tells a story, of which every word must be accepted. Steps named by `breaks` fail. */
export async function play(
  flow: FlowDeclaration,
  { request = {}, story = [], takes, ...options }: Played = {},
): Promise<Simulation> {
  const timed = takes === undefined ? runs : { ...runs, work: { ...runs.work, takes } }
  const simulation = await openSimulation({ flows: { blocks: flow }, runs: timed, ...options })
  simulation.prepare({ fail: { run: 'breaks', code: 'Broken' } })
  await simulation.start({ flow: 'blocks', request, waits: false })
  for (const event of story) expect(await simulation.apply(event), JSON.stringify(event)).toEqual({ kind: 'done' })
  return simulation
}

/** What activities have done, in the order of their starts: `work a`, `undo a`. */
export function effectsOf(simulation: Simulation): string[] {
  return simulation.run().timeLine.flatMap(entry => {
    if (entry.kind !== 'activityScheduled') return []
    const [, call] = entry.args as [unknown, { step: string } | undefined]
    const word = { work: 'work', undoWork: 'undo', breaks: 'work' }[entry.activity as 'work']
    return word === undefined || call === undefined ? [] : [`${word} ${call.step}`]
  })
}

export function edgesOf(simulation: Simulation): string[] {
  return simulation.run().edges.map(({ step, cause, next }) => `${step} ${cause} ${next}`)
}
