import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFlowClient } from '#client'
import { toStartOptions } from '#client/start'
import { flows as builtIn, parseDuration } from '#flows'
import { fillIn, fillInRuns, type StoryStart, type StoryTarget, toInstant } from '#testing/story'
import { type RealParts, type RealPartsOptions, startRealParts } from './parts.ts'
import { RealRun } from './run.ts'
import { attemptTime, toWindows, windowExceptions } from './times.ts'
import { findUnsupported } from './unsupported.ts'
import { prepare, type Users } from './users.ts'

/** A target whose runs have histories in Temporal. */
export interface RealTarget extends StoryTarget {
  start(start: StoryStart): Promise<RealRun>
}

/** Tells stories on a service, a gateway and a worker, with a Temporal that is running already. Time passes for real. */
export async function createRealTarget(options: RealPartsOptions): Promise<RealTarget> {
  const parts = await startRealParts(options)
  const users: Users = new Map()
  const { windowFactor } = options
  return {
    parts: 'real parts',
    windowFactor,
    windowExceptions,
    unsupported: (story, flow) => findUnsupported(story, flow, windowFactor),
    start: start => startStory(parts, users, start),
    stop: () => parts.stop(),
  }
}

async function startStory(parts: RealParts, users: Users, { story, flow, failing }: StoryStart): Promise<RealRun> {
  const { api, faults, played, taskQueue, windowFactor: scale } = parts
  const { pickUpPoints } = parts.topology
  faults.clear()
  const caseNo = `case-${randomUUID()}`
  const prepared = await prepare(story, { api, users, pickUpPoints, caseNo, scale, now: async () => Date.now() })
  const { values } = prepared
  const request = fillIn(story.request, values, ['request'])
  played.set(caseNo, { runs: fillInRuns(story.runs ?? {}, values), ran: [] })
  for (const fail of failing) faults.fail(fail)
  // The flow client would refuse a wrong request. Here it fails the flow, as on the simulator.
  const options = toStartOptions(
    { taskQueue, declaration: flow, compares: !Object.hasOwn(builtIn, flow.name) },
    flow.name,
    { caseNo, request, windows: toWindows(story, flow) },
  )
  await parts.client.workflow.start(flow.name, options)
  return new RealRun({
    ...prepared,
    ...{ api, client: createFlowClient(parts.client, { taskQueue }), caseNo, flow, own: parts },
    async pass(word) {
      const length =
        'at' in word
          ? toInstant(word.at, values) - Date.now()
          : Math.max((parseDuration(word.after) ?? 0) * scale, faults.areInForce ? attemptTime : 0)
      await sleep(Math.max(0, length))
    },
  })
}
