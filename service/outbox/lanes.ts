import type { Allowance, CountedDelivery, Lane, LaneClaim } from './lane.ts'
import type { DeliverySettings } from './retryPolicy.ts'

export type LaneSettings = Pick<DeliverySettings, 'concurrency' | 'slowAfter' | 'maximumInFlight'>

/** Failures in a row after which a tenant claims a few messages at a time. */
const maxFailuresInRow = 40
/** Messages of such a claim. */
const pausedBatch = 5
/** Milliseconds from such a claim to the next one. */
const pause = 500

export type Lanes = ReturnType<typeof createLanes>

/**
 * Shares the sender between tenants. A tenant has at most a third of the capacity that it leaves free, so that there
 * is always some for others. Young deliveries are limited too. A tenant whose deliveries all fail pauses between its claims.
 */
export function createLanes(settings: LaneSettings) {
  const counts = createLaneCounts(settings)
  return { ...counts, ...createLaneOrder(counts) }
}

/** Counts the deliveries of the lanes against their limits. */
function createLaneCounts({ concurrency, slowAfter, maximumInFlight }: LaneSettings) {
  let inFlight = 0

  function allowance(lane: Lane, now: number): Allowance {
    return findAllowance(lane, { free: maximumInFlight - inFlight, concurrency }, now)
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
    let young = 1
    count(lane, { all: 1, young, retries })
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
        lane.failuresInRow = delivered ? 0 : lane.failuresInRow + 1
        clearTimeout(aging)
        age()
      },
      end() {
        clearTimeout(aging)
        count(lane, { all: -1, young: -young, retries: -retries })
        startPostponed(lane, concurrency)
      },
    }
  }

  /**
   * Counts a message that is being committed as a delivery, until the returned function is called.
   * @returns undefined without room, while deliveries fail, or if other messages of the lane are due, which precede it
   */
  function reserve(lane: Lane, now: number): (() => void) | undefined {
    if (lane.mayHaveNewMessages || lane.retryAt <= now || isFailing(lane)) return undefined
    if (share(maximumInFlight - inFlight, lane.inFlight, 3) <= 0) return undefined
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

  return { allowance, begin, reserve, startOrPostpone }
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
}

function findAllowance(lane: Lane, { free, concurrency }: SharedLimits, now: number): Allowance {
  // Claims of few messages would cost more than they gain.
  const isBusy = lane.young > concurrency / 2
  if (isBusy || (isFailing(lane) && lane.pausedUntil > now)) return { all: 0, fresh: 0, retries: 0 }
  const limit = isFailing(lane) ? pausedBatch : concurrency - lane.young
  const all = Math.max(0, Math.min(limit, share(free, lane.inFlight, 3)))
  const retries = lane.retryAt <= now ? Math.max(0, Math.min(all, share(free, lane.retries, 7))) : 0
  // Retries first while deliveries fail: a callback is given up only after a retry.
  return { all, fresh: isFailing(lane) && retries > 0 ? 0 : all, retries }
}

function isFailing({ failuresInRow }: Lane): boolean {
  return failuresInRow >= maxFailuresInRow
}

/** The lanes in the order in which they claim. */
function createLaneOrder(counts: ReturnType<typeof createLaneCounts>) {
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
      failuresInRow: 0,
      pausedUntil: 0,
      postponedStarts: [],
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
      if (isFailing(lane)) lane.pausedUntil = now + pause
    }
    return found
  }

  /** Tenants whose last claim found as many messages as it could take. */
  function full(): string[] {
    return [...lanes.values()].filter(({ mayHaveNewMessages }) => mayHaveNewMessages).map(({ tenantId }) => tenantId)
  }

  /** Milliseconds until a message is due and its lane is not paused. Those that wait for the end of another delivery are left out. */
  function untilNextClaim(now: number): number {
    let next = Number.POSITIVE_INFINITY
    const note = (wait: number) => {
      if (wait > 0 && wait < next) next = wait
    }
    for (const lane of lanes.values()) {
      const resumesAt = isFailing(lane) ? lane.pausedUntil : 0
      note(Math.max(lane.retryAt, resumesAt) - now)
      if (lane.mayHaveNewMessages) note(resumesAt - now)
    }
    return next
  }

  /** Forgets lanes without work, so that memory is bounded by the tenants that have some. */
  function forgetIdle(): void {
    for (const [tenantId, { inFlight, mayHaveNewMessages, retryAt }] of lanes)
      if (inFlight === 0 && !mayHaveNewMessages && retryAt === Number.POSITIVE_INFINITY) lanes.delete(tenantId)
  }

  return { open, next, full, untilNextClaim, forgetIdle }
}

/** The additional deliveries of a tenant that already has `taken`, so that it holds at most 1/`part` of what stays free. */
function share(free: number, taken: number, part: number): number {
  return Math.ceil((free - part * taken) / (part + 1))
}
