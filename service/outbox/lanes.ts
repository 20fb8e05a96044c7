import type { Allowance, CountedDelivery, Lane, LaneClaim } from './lane.ts'
import { availableRetries, createRetryBudget, type RetryBudget, refund, spend, untilAvailable } from './retryBudget.ts'
import type { DeliverySettings } from './retryPolicy.ts'

export type LaneSettings = Pick<
  DeliverySettings,
  'concurrency' | 'slowAfter' | 'maximumInFlight' | 'retryRate' | 'maximumRetryRate'
>

/** Retries of one claim, so that the budget of all tenants is shared. */
const retryQuantum = 8

export type Lanes = ReturnType<typeof createLanes>

/**
 * Shares the sender between tenants (D-111). A tenant has at most a third of the capacity that it leaves free, so that there
 * is always some for others. Young deliveries are limited too. While deliveries fail, a rate limits retries and new messages.
 */
export function createLanes(settings: LaneSettings) {
  const counts = createLaneCounts(settings)
  return { ...counts, ...createLaneOrder(settings, counts) }
}

/** Counts the deliveries of the lanes against their limits. */
function createLaneCounts({ concurrency, slowAfter, maximumInFlight, maximumRetryRate }: LaneSettings) {
  const shared = createRetryBudget(maximumRetryRate)
  let inFlight = 0

  function allowance(lane: Lane, now: number): Allowance {
    return findAllowance(lane, { free: maximumInFlight - inFlight, concurrency, shared }, now)
  }

  /** Milliseconds until the budgets allow a retry. */
  function untilRetry(budget: RetryBudget): number {
    return Math.max(untilAvailable(budget), untilAvailable(shared))
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
    const isLimited = isRetry || lane.isFailing
    let young = 1
    count(lane, { all: 1, young, retries })
    if (isLimited) spend(lane.budget)
    shared.tokens -= retries
    const age = () => {
      count(lane, { all: 0, young: -young, retries: 0 })
      young = 0
      startPostponed(lane, concurrency)
    }
    const aging = setTimeout(() => {
      age()
      onSlow()
    }, slowAfter)
    return {
      respond(delivered) {
        lane.isFailing = !delivered
        if (!delivered && !isLimited) spend(lane.budget)
        clearTimeout(aging)
        age()
      },
      end(delivered) {
        clearTimeout(aging)
        count(lane, { all: -1, young: -young, retries: -retries })
        startPostponed(lane, concurrency)
        if (delivered) for (const budget of [lane.budget, shared]) if (budget.tokens < budget.capacity) refund(budget)
      },
    }
  }

  /**
   * Counts a message that is being committed as a delivery, until the returned function is called (D-320).
   * @returns undefined without room or rate, or if other messages of the lane are due, which precede it
   */
  function reserve(lane: Lane, now: number): (() => void) | undefined {
    if (lane.mayHaveNewMessages || lane.retryAt <= now || share(maximumInFlight - inFlight, lane.inFlight, 3) <= 0)
      return undefined
    if (lane.isFailing && availableRetries(lane.budget, now) === 0) return undefined
    count(lane, { all: 1, young: 0, retries: 0 })
    return () => count(lane, { all: -1, young: 0, retries: 0 })
  }

  /** Calls `start` as soon as the lane may have another young delivery. */
  function startOrPostpone(lane: Lane, start: () => void): void {
    if (lane.young < concurrency) start()
    else lane.postponedStarts.push(start)
  }

  function count(lane: Lane, { all, young, retries }: { all: number; young: number; retries: number }): void {
    inFlight += all
    lane.inFlight += all
    lane.young += young
    lane.retries += retries
  }

  return { allowance, untilRetry, begin, reserve, startOrPostpone }
}

/** Calls postponed starts in order. One whose lease is about to end sends nothing, so the next one can start. */
function startPostponed(lane: Lane, concurrency: number): void {
  while (lane.young < concurrency && lane.postponedStarts.length > 0) lane.postponedStarts.shift()?.()
}

/** The limits that all lanes share. */
interface SharedLimits {
  /** Deliveries of all tenants that may begin. */
  readonly free: number
  readonly concurrency: number
  readonly shared: RetryBudget
}

function findAllowance(lane: Lane, { free, concurrency, shared }: SharedLimits, now: number): Allowance {
  // Claims of few messages would cost more than they gain.
  const isBusy = lane.young > concurrency / 2
  const all = isBusy ? 0 : Math.max(0, Math.min(concurrency - lane.young, share(free, lane.inFlight, 3)))
  const mayRetry = lane.retryAt <= now
  if (!mayRetry && !lane.isFailing) return { all, fresh: all, retries: 0 }
  const available = availableRetries(lane.budget, now)
  const allowed = Math.min(all, share(free, lane.retries, 7), available, availableRetries(shared, now), retryQuantum)
  const retries = mayRetry ? Math.max(0, allowed) : 0
  if (!lane.isFailing) return { all, fresh: all, retries }
  // Retries first: new messages could use up the rate, and a callback is given up only after a retry.
  return { all, fresh: retries > 0 ? 0 : Math.min(all, available), retries }
}

/** The lanes in the order in which they claim. */
function createLaneOrder({ retryRate }: LaneSettings, counts: ReturnType<typeof createLaneCounts>) {
  const lanes = new Map<string, Lane>()

  function open(tenantId: string): Lane {
    const existing = lanes.get(tenantId)
    if (existing !== undefined) return existing
    const lane = {
      tenantId,
      mayHaveNewMessages: false,
      enqueueCount: 0,
      retryAt: 0,
      version: undefined,
      inFlight: 0,
      young: 0,
      retries: 0,
      isFailing: false,
      postponedStarts: [],
      budget: createRetryBudget(retryRate),
    }
    lanes.set(tenantId, lane)
    return lane
  }

  /**
   * Returns up to `count` lanes that can claim, and moves them to the end of the order.
   * @param woken tenants that may have new messages; emptied
   */
  function next(count: number, now: number, woken: Set<string>): LaneClaim[] {
    for (const tenantId of woken) {
      const lane = open(tenantId)
      lane.mayHaveNewMessages = true
      lane.enqueueCount++
    }
    woken.clear()
    const found: LaneClaim[] = []
    for (const lane of lanes.values()) {
      if (found.length === count) break
      if (!lane.mayHaveNewMessages && lane.retryAt > now) continue
      const allowed = counts.allowance(lane, now)
      if ((lane.mayHaveNewMessages && allowed.fresh > 0) || allowed.retries > 0)
        found.push({ lane, allowance: allowed })
    }
    for (const { lane } of found) {
      lanes.delete(lane.tenantId)
      lanes.set(lane.tenantId, lane)
    }
    return found
  }

  /** Tenants whose last claim found as many messages as it could take. */
  function full(): string[] {
    return [...lanes.values()].filter(({ mayHaveNewMessages }) => mayHaveNewMessages).map(({ tenantId }) => tenantId)
  }

  /** Milliseconds until a message is due and the rate allows it. Those that wait for the end of another delivery are left out. */
  function untilNextClaim(now: number): number {
    let next = Number.POSITIVE_INFINITY
    const note = (wait: number) => {
      if (wait > 0 && wait < next) next = wait
    }
    for (const { retryAt, mayHaveNewMessages, isFailing, budget } of lanes.values()) {
      if (retryAt < Number.POSITIVE_INFINITY) note(Math.max(retryAt - now, counts.untilRetry(budget)))
      if (mayHaveNewMessages && isFailing) note(untilAvailable(budget))
    }
    return next
  }

  /** Forgets lanes without work, so that memory is bounded by the tenants that have some. */
  function forgetIdle(now: number): void {
    for (const [tenantId, lane] of lanes) {
      const isIdle = lane.inFlight === 0 && !lane.mayHaveNewMessages && lane.retryAt === Number.POSITIVE_INFINITY
      const isFull = availableRetries(lane.budget, now) >= lane.budget.capacity
      if (isIdle && isFull) lanes.delete(tenantId)
    }
  }

  return { open, next, full, untilNextClaim, forgetIdle }
}

/** The additional deliveries of a tenant that already has `taken`, so that it holds at most 1/`part` of what stays free. */
function share(free: number, taken: number, part: number): number {
  return Math.ceil((free - part * taken) / (part + 1))
}
