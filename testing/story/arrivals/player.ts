import { setTimeout as delay } from 'node:timers/promises'
import type { FlowClient } from '#client'
import type { Api } from '#contract/client'
import { createOpeners, openWithWrongCode } from '#testing/story/people'
import { createArrivals, removeOthers } from './arrivals.ts'
import { listReady, type Shipment, turns } from './requests.ts'

/** Plays the users and dispatchers of cases that have a story. */
export interface Player {
  /** Polls at once. */
  wake(): void
  stop(): Promise<void>
}

/** A person has come to a locker. */
export interface Opening {
  readonly action: 'dropOff' | 'pickUp'
  readonly shipment: Shipment
  /** The code of the refusal of a wrong code; null for a locker that opened. */
  readonly refused: string | null
}

export interface PlayerOptions {
  /** The client at the lockers. */
  readonly api: Api
  readonly flows: Pick<FlowClient<never>, 'status'>
  /** The user name of the tenant's dispatcher, who comes at once. */
  readonly dispatcher: string
  /** Milliseconds between two polls of the shipments. Without it, the player polls when it is woken. */
  readonly interval?: number
  readonly onOpening?: (opening: Opening) => void
  /** Called with the error of a poll that fails after a success, and with undefined when the next one succeeds. */
  readonly onBroken?: (error: unknown) => void
}

/** Milliseconds after which a player without an interval asks again whether a flow is overdue. */
const overdueInterval = 1_000

export function startPlayer({ api, flows, dispatcher, interval, onOpening, onBroken }: PlayerOptions): Player {
  const openers = createOpeners(api)
  const stopping = new AbortController()
  const arrivals = createArrivals(api, dispatcher)
  /** Openings that were made: a kept booking stays ready, and its person does not come twice. */
  const done = new Set<string>()
  /** Openings before which the wrong code was entered. */
  const warned = new Set<string>()
  /** Shipments whose person comes when their flow is overdue. */
  let late: Shipment[] = []
  let nextPoll = new AbortController()
  let isBroken = false

  async function poll(): Promise<void> {
    const shipments = await listReady(api)
    for (const openings of [done, warned]) removeOthers(openings, shipments.map(keyOf))
    arrivals.forgetOthers(shipments)
    await playAll(shipments)
  }

  async function playAll(shipments: readonly Shipment[]): Promise<void> {
    late = []
    // A failure, such as a fault of the test or a stuck door, is tried again at the next poll.
    for (const shipment of shipments) await play(shipment).catch(() => undefined)
  }

  async function play(shipment: Shipment): Promise<void> {
    const { stateCode, referenceCaseNo: caseNo } = shipment
    const turn = turns[stateCode as keyof typeof turns]
    const key = keyOf(shipment)
    if (turn === undefined || caseNo === null || done.has(key)) return
    const arrival = await arrivals.find(shipment, shipment[turn.user])
    if (arrival === undefined || arrival === 'never') return
    if (arrival === 'late' && !(await isOverdue(caseNo).catch(() => false))) return void late.push(shipment)
    if (arrival === 'afterWrongCode' && !warned.has(key)) {
      const refused = await openWithWrongCode(api, shipment)
      warned.add(key)
      onOpening?.({ action: turn.act, shipment, refused })
    }
    await openers[turn.act]({ ...shipment, role: '' })
    done.add(key)
    onOpening?.({ action: turn.act, shipment, refused: null })
  }

  async function isOverdue(caseNo: string): Promise<boolean> {
    const found = await flows.status(caseNo)
    return found.kind === 'Status' && found.status.overdue
  }

  async function run(): Promise<void> {
    for (let polls = true; !stopping.signal.aborted; ) {
      nextPoll = new AbortController()
      // Faults of the test reach the player too: it polls again.
      const playing: Promise<void> = polls ? poll() : playAll(late)
      const error: unknown = await playing.then(
        () => undefined,
        reason => reason,
      )
      const failed = error !== undefined
      if (failed !== isBroken) onBroken?.(error)
      isBroken = failed
      const signal = AbortSignal.any([stopping.signal, nextPoll.signal])
      const woken = await delay(interval ?? overdueInterval, false, { signal }).catch(() => true)
      polls = interval !== undefined || woken || failed
    }
  }

  const running = run()
  return {
    wake: () => nextPoll.abort(),
    async stop() {
      stopping.abort()
      await running
    },
  }
}

function keyOf({ shipmentUid, stateCode }: Shipment): string {
  return `${shipmentUid} ${stateCode}`
}
