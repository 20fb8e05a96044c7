import { type DoorEvent, type DoorEventName, type DoorState, doorEvents, type OpenResponse } from '#contract'

/** The treatment of requests to open a door. */
export const behaviours = {
  normal: 'Opens.',
  slow: 'Opens after `delayMs`, and not at all if that is too late.',
  hang: 'Does not respond.',
  refuse: 'Does not open, and stays closed.',
  stuck: 'Does not open, and is broken.',
  offline: 'Responds with 503.',
  loseResponse: 'Opens, and cuts the connection of the first request.',
} as const

export type Behaviour = keyof typeof behaviours

export interface DoorStatus {
  readonly pupUid: string
  readonly lockerUid: string
  readonly state: DoorState
  readonly sequence: number
  readonly behaviour: Behaviour
  /** The ids for which the door opened, in order. */
  readonly openings: readonly string[]
}

export type OpenResult =
  | { readonly kind: 'response'; readonly response: OpenResponse; readonly cut: boolean }
  | { readonly kind: 'unavailable' }

export interface SimulatedDoor {
  status(): DoorStatus
  /** Opens the door once for an id; a repeated call gets the first result. It may never resolve. */
  open(openId: string, validForMs: number): Promise<OpenResult>
  behave(behaviour: Behaviour, delayMs: number): void
  /** Applies an event to the door, and reports it. */
  happen(event: DoorEventName, details?: Partial<DoorEvent>): void
  /** Ends the timer that closes the door. */
  stop(): void
}

export interface DoorOptions {
  readonly pupUid: string
  readonly lockerUid: string
  /** Milliseconds after which an open door closes; 0 is never. */
  readonly closeAfter: number
  /** Called with each event of the door, in order. */
  readonly report: (event: DoorEvent) => void
}

/** The event with which a behaviour begins: a real door reports no state that contradicts its behaviour. */
const behaviourEvents: Partial<Record<Behaviour, DoorEventName>> = { offline: 'offline', stuck: 'broken' }

export function createDoor({ pupUid, lockerUid, closeAfter, report }: DoorOptions): SimulatedDoor {
  const results = new Map<string, Promise<OpenResult>>()
  const openings: string[] = []
  let state: DoorState = 'closed'
  let sequence = 0
  let behaviour: Behaviour = 'normal'
  let delayMs = 0
  let closing: NodeJS.Timeout | undefined

  function happen(event: DoorEventName, details: Partial<DoorEvent> = {}): void {
    state = doorEvents[event]
    // Grows also across restarts, without a file.
    sequence = Math.max(Date.now(), sequence + 1)
    report({ type: 'event', event, pupUid, lockerUid, sequence, occurredAt: new Date().toISOString(), ...details })
    clearTimeout(closing)
    if (state === 'open' && closeAfter > 0) closing = setTimeout(happen, closeAfter, 'closed').unref()
  }

  function respond(openId: string, opened: boolean, reason?: string, cut = false): OpenResult {
    return { kind: 'response', cut, response: { openId, opened, state, ...(reason && { reason }) } }
  }

  function openNow(openId: string, cut = false): OpenResult {
    openings.push(openId)
    happen('opened', { openId })
    return respond(openId, true, undefined, cut)
  }

  async function attempt(openId: string, validForMs: number): Promise<OpenResult> {
    switch (behaviour) {
      case 'hang':
        return new Promise(() => undefined)
      case 'refuse':
        return respond(openId, false, 'The controller refused.')
      case 'stuck':
        if (state !== 'broken') happen('broken', { reason: 'The bolt did not move.' })
        return respond(openId, false, 'The bolt did not move.')
      case 'slow':
        await new Promise(resolve => setTimeout(resolve, delayMs))
        return delayMs > validForMs ? respond(openId, false, 'The time was over.') : openNow(openId)
      case 'loseResponse':
        return openNow(openId, true)
      default:
        return openNow(openId)
    }
  }

  return {
    status: () => ({ pupUid, lockerUid, state, sequence, behaviour, openings: [...openings] }),
    async open(openId, validForMs) {
      const earlier = results.get(openId)
      // Only the first request may be cut off.
      if (earlier !== undefined) return { ...(await earlier), cut: false }
      if (behaviour === 'offline') return { kind: 'unavailable' }
      const result = attempt(openId, validForMs)
      results.set(openId, result)
      return result
    },
    behave(next, delay) {
      behaviour = next
      delayMs = delay
      const event = behaviourEvents[next]
      if (event !== undefined) happen(event)
      else if (state === 'offline' || state === 'broken') happen('closed')
    },
    happen,
    stop: () => clearTimeout(closing),
  }
}
