/** The deliveries of one tenant in this process. Times are milliseconds of `performance.now()`. */
export interface Lane {
  readonly tenantId: string
  /** True if there may be messages before their first delivery. */
  mayHaveNewMessages: boolean
  /** Counts the times at which the tenant may have had new messages. */
  enqueueCount: number
  /** When a retry may be due; Infinity if none is scheduled. */
  retryAt: number
  /** The tenant's `callback_version`, once it was read. */
  version: number | undefined
  /** Deliveries whose outcome is not stored yet, and messages that are being committed. */
  inFlight: number
  /** Deliveries that have waited for their response for less than `slowAfter`. */
  young: number
  /** Retries among the deliveries. */
  retries: number
  /** Failed deliveries since the last success. */
  failuresInRow: number
  /** When it may claim again while its deliveries fail. */
  pausedUntil: number
  /** Starts that wait until another delivery is no longer young. */
  readonly postponedStarts: (() => void)[]
}

/** Numbers of messages that a lane may claim now, together at most `all`. */
export interface Allowance {
  readonly all: number
  readonly fresh: number
  readonly retries: number
}

/** A lane that claims, and the numbers of messages that it may claim. */
export interface LaneClaim {
  readonly lane: Lane
  readonly allowance: Allowance
}

/** A delivery that counts against the limits of its lane. */
export interface CountedDelivery {
  /** The outcome is known, and not stored yet. */
  respond(delivered: boolean): void
  /** The outcome is stored. */
  end(): void
}
