import { availableRetries, createRetryBudget, type RetryBudget, refund, untilAvailable } from './retryBudget.ts'
import type { DeliverySettings } from './retryPolicy.ts'

/** The deliveries of one tenant in this process. Times are milliseconds of `performance.now()`. */
export interface Lane {
  readonly tenantId: string
  /** True if there may be messages before their first delivery. */
  fresh: boolean
  /** How often the tenant may have had new messages. */
  wakes: number
  /** When a retry may be due; Infinity if none is scheduled. */
  retryAt: number
  /** The tenant's `callback_version`, once it was read. */
  version: number | undefined
  /** Deliveries without a response. Those that have waited for less than `slowAfter` are young. */
  inFlight: number
  young: number
  retries: number
  /** Starts of deliveries that wait for another one to be no longer young. */
  readonly held: (() => void)[]
  readonly budget: RetryBudget
}

/** Numbers of messages that a lane may claim now, together at most `fresh`. */
export interface Room {
  readonly fresh: number
  readonly retries: number
}

/** A lane that claims. */
export interface Turn {
  readonly lane: Lane
  readonly room: Room
}

/** A delivery that counts against the limits of its lane. */
export interface CountedDelivery {
  /** The receiver has responded, and the outcome is not stored yet. */
  respond(): void
  end(delivered: boolean): void
}

export type LaneSettings = Pick<
  DeliverySettings,
  'concurrency' | 'slowAfter' | 'maximumInFlight' | 'retryRate' | 'maximumRetryRate'
>

/** Retries of one claim, so that the budget of all tenants is shared. */
const retryQuantum = 8

/**
 * Shares the sender between tenants (D-111). A tenant has at most a third of the capacity that it leaves free, so that there
 * is always some for others. Young deliveries are limited too, and retries by a rate, unless deliveries succeed.
 */
export function createLanes(settings: LaneSettings) {
  const { concurrency, slowAfter, maximumInFlight, retryRate, maximumRetryRate } = settings
  // In the order in which they claim.
  const lanes = new Map<string, Lane>()
  const shared = createRetryBudget(maximumRetryRate)
  let inFlight = 0

  function open(tenantId: string): Lane {
    const existing = lanes.get(tenantId)
    if (existing !== undefined) return existing
    const counts = { inFlight: 0, young: 0, retries: 0 }
    const lane = {
      tenantId,
      fresh: false,
      wakes: 0,
      retryAt: 0,
      version: undefined,
      ...counts,
      held: [],
      budget: createRetryBudget(retryRate),
    }
    lanes.set(tenantId, lane)
    return lane
  }

  function room(lane: Lane, now: number): Room {
    const free = maximumInFlight - inFlight
    // Claims of few messages would cost more than they gain.
    const isBusy = lane.young > concurrency / 2
    const fresh = isBusy ? 0 : Math.max(0, Math.min(concurrency - lane.young, share(free, lane.inFlight, 3)))
    if (fresh === 0 || lane.retryAt > now) return { fresh, retries: 0 }
    const allowed = Math.min(availableRetries(lane.budget, now), availableRetries(shared, now), retryQuantum)
    return { fresh, retries: Math.max(0, Math.min(fresh, share(free, lane.retries, 7), allowed)) }
  }

  /**
   * Returns up to `count` lanes that can claim, and moves them to the end of the order.
   * @param woken tenants that may have new messages; emptied
   */
  function next(count: number, now: number, woken: Set<string>): Turn[] {
    for (const tenantId of woken) {
      const lane = open(tenantId)
      lane.fresh = true
      lane.wakes++
    }
    woken.clear()
    const found: Turn[] = []
    for (const lane of lanes.values()) {
      if (found.length === count) break
      if (!lane.fresh && lane.retryAt > now) continue
      const allowed = room(lane, now)
      if ((lane.fresh && allowed.fresh > 0) || allowed.retries > 0) found.push({ lane, room: allowed })
    }
    for (const { lane } of found) {
      lanes.delete(lane.tenantId)
      lanes.set(lane.tenantId, lane)
    }
    return found
  }

  /** Milliseconds until a retry is due and allowed. Those that wait for the end of another delivery are left out. */
  function untilNextRetry(now: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const { retryAt, budget } of lanes.values()) {
      if (retryAt === Number.POSITIVE_INFINITY) continue
      const wait = Math.max(retryAt - now, untilAvailable(budget), untilAvailable(shared))
      if (wait > 0 && wait < next) next = wait
    }
    return next
  }

  /**
   * Counts a delivery until `end` is called. It is young until `respond` is called, or for `slowAfter`.
   * @param onSlow called if it is no longer young before its response
   */
  function begin(
    lane: Lane,
    { isRetry, onSlow }: { readonly isRetry: boolean; readonly onSlow: () => void },
  ): CountedDelivery {
    const retries = isRetry ? 1 : 0
    const budgets = [lane.budget, shared]
    let young = 1
    count(lane, { all: 1, young, retries })
    for (const budget of budgets) budget.tokens -= retries
    const age = () => {
      count(lane, { all: 0, young: -young, retries: 0 })
      young = 0
      startHeld(lane)
    }
    const aging = setTimeout(() => {
      age()
      onSlow()
    }, slowAfter)
    return {
      respond() {
        clearTimeout(aging)
        age()
      },
      end(delivered) {
        clearTimeout(aging)
        count(lane, { all: -1, young: -young, retries: -retries })
        startHeld(lane)
        if (!delivered) return
        for (const budget of budgets) if (budget.tokens < budget.capacity) refund(budget)
      },
    }
  }

  /**
   * Counts a message that is being committed as a delivery, until the returned function is called (D-320).
   * @returns undefined without room, or if other messages of the lane are due, which precede it
   */
  function reserve(lane: Lane, now: number): (() => void) | undefined {
    if (lane.fresh || lane.retryAt <= now || share(maximumInFlight - inFlight, lane.inFlight, 3) <= 0) return undefined
    count(lane, { all: 1, young: 0, retries: 0 })
    return () => count(lane, { all: -1, young: 0, retries: 0 })
  }

  /** Begins a delivery as soon as the lane may have another young one. */
  function beginInTurn(lane: Lane, start: () => void): void {
    if (lane.young < concurrency) start()
    else lane.held.push(start)
  }

  /** Starts held deliveries in order. One whose lease is about to end begins no delivery, which leaves room for the next one. */
  function startHeld(lane: Lane): void {
    while (lane.young < concurrency && lane.held.length > 0) lane.held.shift()?.()
  }

  function count(lane: Lane, { all, young, retries }: { all: number; young: number; retries: number }): void {
    inFlight += all
    lane.inFlight += all
    lane.young += young
    lane.retries += retries
  }

  /** Tenants whose last claim found as many messages as it could take. */
  function full(): string[] {
    return [...lanes.values()].filter(({ fresh }) => fresh).map(({ tenantId }) => tenantId)
  }

  /** Forgets lanes without work, so that memory is bounded by the tenants that have some. */
  function forgetIdle(now: number): void {
    for (const [tenantId, lane] of lanes) {
      const isIdle = lane.inFlight === 0 && !lane.fresh && lane.retryAt === Number.POSITIVE_INFINITY
      const isFull = availableRetries(lane.budget, now) >= lane.budget.capacity
      if (isIdle && isFull) lanes.delete(tenantId)
    }
  }

  return { open, room, next, full, untilNextRetry, reserve, beginInTurn, begin, forgetIdle }
}

/** How many more a user of a capacity may take until it has the given part of what is free for others. */
function share(free: number, taken: number, part: number): number {
  return Math.ceil((free - part * taken) / (part + 1))
}
