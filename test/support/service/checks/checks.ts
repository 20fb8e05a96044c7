import type { OperationName } from '#contract'
import type { ErrorCode } from '#contract/terms'
import type { Answer } from './harness.ts'
import type { Site } from './site.ts'
import type { Step } from './steps.ts'

/** One thing that can be wrong with a request, and the answer to it. */
export interface Fault {
  readonly code: ErrorCode
  /** Fields that make it wrong. */
  readonly fields?: object
  /** What the message names, when that is none of them. */
  readonly about?: string
  /** What happens before that makes it wrong. */
  readonly prepare?: (site: Site) => Promise<unknown>
}

/** A request to an operation that is right, and what can be wrong with it, in the order in which it is looked at. */
export interface Checks {
  readonly operation: OperationName
  /** What tells it from another one of the same operation. */
  readonly as?: string
  /** What has to be there for it. */
  readonly prepare?: (site: Site) => Promise<unknown>
  readonly faults: readonly Fault[]
  /** Sends the request as it is right, with these fields instead of its own. */
  send(site: Site, fields: object): Promise<Answer>
}

interface Declared extends Omit<Checks, 'send'> {
  /** The fields of the right request, as the site is then. */
  readonly sound: (site: Site) => object | Promise<object>
}

/** The checks of an operation that takes JSON. */
export function checksOf({ sound, ...checks }: Declared): Checks {
  return {
    ...checks,
    send: async (site, fields) => site.world.service.call(checks.operation, { ...(await sound(site)), ...fields }),
  }
}

export const nothing = 'no-such-thing'

export const wrong = (code: ErrorCode, fields: object): Fault => ({ code, fields })

/** What has been done before makes it wrong. */
export const after = (code: ErrorCode, ...steps: Step[]): Fault => ({ code, prepare: done(...steps) })

export function done(...steps: Step[]) {
  return async (site: Site): Promise<void> => {
    for (const step of steps) await site.take(step)
  }
}

/** The uid of the first shipment that was made. */
export const a = ({ uids }: Site) => uids.get('a') ?? 'none'
