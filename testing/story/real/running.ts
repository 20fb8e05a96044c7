import type { Client } from '@temporalio/client'
import { createFlowClient } from '#client'
import type { Api } from '#contract/client'
import { parseDuration } from '#flows'
import { fillIn, type StartedStory, type StoryRun, type StoryStart, type StoryTarget, toInstant } from '#testing/story'
import { RealRun } from './run.ts'
import { prepare, type Users } from './users.ts'

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
}

/** Words that need parts of their own. */
const foreign = ['fail', 'recover', 'loseCallbacks', 'deliverCallbacks', 'loseWorker'] as const

/** Tells a story on parts that are running, and leaves the flow as the story leaves it. */
export function createRunningTarget(parts: RunningParts): StoryTarget {
  return {
    parts: 'real parts',
    unsupported: story => findForeign(story, parts.isStarted),
    start: start => startStory(parts, start),
    stop: async () => undefined,
  }
}

function findForeign({ before = {}, runs = {}, story }: StartedStory, isStarted: boolean): string | undefined {
  const word = foreign.find(name => story.some(each => name in each))
  if (word !== undefined) return `the word ${word} needs parts of its own`
  if (Object.keys(runs).length > 0) return 'runs needs a worker of its own'
  if (isStarted && Object.keys(before).length > 0) return 'the flow runs already, so before comes too late'
  return undefined
}

async function startStory(parts: RunningParts, { story, flow }: StoryStart): Promise<StoryRun> {
  const { api, client: temporal, taskQueue, pickUpPoints, caseNo, now } = parts
  const client = createFlowClient(temporal, { taskQueue, flows: [flow] })
  const users: Users = new Map()
  const prepared = await prepare(story, { api, users, pickUpPoints, caseNo, now, scale: 1 })
  const { values } = prepared
  if (!parts.isStarted) {
    const input = { caseNo, request: fillIn(story.request, values, ['request']) }
    // The name of the flow is known at run time only.
    const started = await client.start(flow.name as never, input as never)
    if (started.kind !== 'Started') throw new Error(notStarted(started))
  }
  return new RealRun({
    ...prepared,
    ...{ api, client, caseNo, flow },
    pass: async word =>
      parts.pass(
        'at' in word ? Math.max(0, toInstant(word.at, values) - (await now())) : (parseDuration(word.after) ?? 0),
      ),
  })
}

/** The reason why a flow was not started. */
function notStarted({ kind, message = '' }: { readonly kind: string; readonly message?: string }): string {
  return `The flow did not start: ${kind}. ${message}`.trim()
}
