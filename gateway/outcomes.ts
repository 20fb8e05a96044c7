/**
 * What becomes of a callback, and the HTTP status of the answer (docs/decisions.md, What the gateway answers).
 * Whatever is not 2xx is retried without end and holds up its shipment, so only what can be mended gets another status.
 */
export const outcomes = {
  signalled: { status: 204, level: 'info' },
  /** The flow has ended, or there is none of this case. */
  noFlow: { status: 200, level: 'info' },
  /** It can never be accepted; what is left of it is a line in the log. */
  aside: { status: 202, level: 'warn' },
  /** Not signed by the service. */
  forged: { status: 401, level: 'warn' },
  /** Temporal cannot take it now. */
  away: { status: 503, level: 'error' },
} as const

export type Outcome = keyof typeof outcomes

/** How many callbacks had which outcome since the start. */
export type Counts = Readonly<Record<Outcome, number>>

export function noCounts(): Record<Outcome, number> {
  return { signalled: 0, noFlow: 0, aside: 0, forged: 0, away: 0 }
}

/** Seconds after which a callback that got 503 is worth another try. */
export const retryAfter = 2
