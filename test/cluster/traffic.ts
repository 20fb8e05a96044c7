import { setTimeout as pause } from 'node:timers/promises'
import type { Api } from '#api'
import { createTimeline, type Played, playAll } from '#cli'
import type { FlowClient } from '#client'
import { patience, patientApi, patientFlows, patientPeople } from './patience.ts'

/** Programmes of the demonstration that are played at the same time, each over and over. */
const stages = 4

export interface Traffic {
  readonly played: readonly Played[]
  /** Waits until so many more flows have ended. */
  more(flows: number): Promise<void>
  /** Ends after the programmes that are being played. */
  end(): Promise<void>
}

/** Plays the demonstration's programme again and again, whatever becomes of the machines meanwhile. */
export function startTraffic(api: Api, flows: FlowClient): Traffic {
  const played: Played[] = []
  const silent = createTimeline(() => undefined)
  const parts = { api: patientApi(api), flows: patientFlows(flows) }
  const people = patientPeople(api)
  let round = 0
  let ending = false

  async function playOn(): Promise<void> {
    while (!ending) played.push(...(await playAll(parts, silent, { people, suffix: `-${++round}`, patience })))
  }

  const all = Promise.all(Array.from({ length: stages }, playOn))
  // Told by `end`, or by whoever waits for more.
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
