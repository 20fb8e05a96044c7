import type { Client } from '@temporalio/client'
import { createFlowClient } from '#client'
import type { Api } from '#contract/client'
import { type FlowDeclaration, parseDuration } from '#flows'
import {
  type CaseRun,
  type CaseStart,
  type CaseTarget,
  type EventWord,
  fillIn,
  type TestCase,
  toMoment,
} from '#testing/cases'
import { People } from './people.ts'
import { notStarted, RealRun } from './run.ts'

/** A service, a worker and a case that other programs also use. */
export interface RunningParts {
  readonly api: Api
  readonly client: Client
  readonly taskQueue: string
  readonly pickUpPoints: readonly { readonly pupUid: string }[]
  readonly caseNo: string
  /** The flow of the case runs already. Otherwise the story starts it. */
  readonly isStarted: boolean
  /** Milliseconds since 1970, by the clock of the flows. */
  now(): Promise<number>
  /** Lets this many milliseconds pass. */
  pass(length: number): Promise<void>
  /** Called after each event of the story. */
  onWord(word: EventWord): void
}

/** Words that need parts of their own. */
const foreign = ['fail', 'recover', 'loseCallbacks', 'deliverCallbacks', 'loseWorker'] as const

/** Plays a story on parts that are running, and leaves the flow as the story leaves it. */
export function createRunningTarget(parts: RunningParts): CaseTarget {
  return {
    parts: 'real parts',
    unsupported: test => findForeign(test, parts.isStarted),
    start: start => startCase(parts, start),
    stop: async () => undefined,
  }
}

function findForeign({ before = {}, runs = {}, story }: TestCase, isStarted: boolean): string | undefined {
  const word = foreign.find(name => story.some(each => name in each))
  if (word !== undefined) return `the word ${word} needs parts of its own`
  if (Object.keys(runs).length > 0) return 'runs needs a worker of its own'
  if (isStarted && Object.keys(before).length > 0) return 'the flow runs already, so before comes too late'
  return undefined
}

async function startCase(parts: RunningParts, { test, flow }: CaseStart): Promise<CaseRun> {
  const { api, client: temporal, taskQueue, pickUpPoints, caseNo } = parts
  const people = new People({ api, topology: { pickUpPoints }, windowFactor: 1 })
  const client = createFlowClient(temporal, { taskQueue, flows: [flow] })
  const items = new Map<string, string>()
  for (const [name, kind] of Object.entries(test.before ?? {})) items.set(name, await people.createItem(kind))
  await people.createUsers(test)
  const values = { ...people.valuesFor(items), start: await parts.now() }
  if (!parts.isStarted) await start(client, flow, { caseNo, request: fillIn(test.request, values, ['request']) })
  let reached = values.start
  const run = new RealRun({ parts: withoutFaults(api), people, client, caseNo, flow, items, values })
  return {
    values,
    async perform(word) {
      if ('after' in word) {
        const length = parseDuration(word.after) ?? 0
        reached += length
        await parts.pass(length)
      } else if ('at' in word) {
        reached = toMoment(word.at, values, reached)
        await parts.pass(Math.max(0, reached - (await parts.now())))
      } else await run.perform(word)
      parts.onWord(word)
    },
    observe: matches => run.observe(matches),
    // The ways cost a replay.
    edges: async () => [],
    close: async () => undefined,
  }
}

async function start(
  client: ReturnType<typeof createFlowClient>,
  { name }: FlowDeclaration,
  input: { readonly caseNo: string; readonly request: object },
): Promise<void> {
  // The name of the flow is known at run time only.
  const started = await client.start(name as never, input as never)
  if (started.kind !== 'Started') throw new Error(notStarted(started))
}

/** Stands for the parts that a running case does not have. Words that need them are rejected before. */
function withoutFaults(api: Api) {
  const none = () => undefined
  return {
    api,
    windowFactor: 1,
    bundle: { code: '' },
    played: new Map(),
    lost: new Set<string>(),
    faults: { areInForce: false, clear: none, fail: none, recover: none },
    replaceWorker: async () => undefined,
  }
}
