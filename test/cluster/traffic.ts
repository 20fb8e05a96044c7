import { setTimeout as pause } from 'node:timers/promises'
import { createTimeline, type Played, playScenes } from '#cli'
import type { FlowClient } from '#client'
import type { Api } from '#contract/client'
import { retryingApi, retryingFlows, retryingPeople, retryTimeout } from './retries.ts'

/** Number of demonstrations that run concurrently, each repeatedly. */
const stages = 4

export interface Traffic {
  readonly played: readonly Played[]
  /** Waits until this number of further flows has ended. */
  more(flows: number): Promise<void>
  /** Ends after the running demonstrations. */
  end(): Promise<void>
}

/** Plays the demonstration repeatedly, in spite of outages. */
export function startTraffic(api: Api, flows: FlowClient): Traffic {
  const played: Played[] = []
  const silent = createTimeline(() => undefined)
  const parts = { api: retryingApi(api), flows: retryingFlows(flows) }
  const people = retryingPeople(api)
  let round = 0
  let ending = false

  async function playOn(): Promise<void> {
    while (!ending)
      played.push(...(await playScenes(parts, silent, { people, suffix: `-${++round}`, timeout: retryTimeout })))
  }

  const all = Promise.all(Array.from({ length: stages }, playOn))
  // Reported by `end`, or by the caller that waits for more.
  all.catch(() => undefined)
  return {
    played,
    async more(flows) {
      const enough = played.length + flows
      const reached = async () => {
        while (played.length < enough) await pause(50)
      }
      await Promise.race([reached(), all])
    },
    async end() {
      ending = true
      await all
    },
  }
}
