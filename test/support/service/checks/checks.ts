import type { OperationName } from '#contract'
import type { ErrorCode } from '#contract/terms'
import { createLockerRegistry } from '../../../../service/outOfService/index.ts'
import type { Site } from '../site.ts'
import type { Step } from '../steps.ts'
import type { ServiceResponse } from '../testService.ts'

/** One fault of a request, and the expected error. */
export interface Fault {
  readonly code: ErrorCode
  /** Fields that cause it. */
  readonly fields?: object
  /** The field that the message names, if it is not the changed one. */
  readonly about?: string
  /** Preceding steps that make the request fail. */
  readonly prepare?: (site: Site) => Promise<unknown>
}

/** A valid request of an operation, and its possible faults in the order of the service's checks. */
export interface Checks {
  readonly operation: OperationName
  /** Distinguishes it from other checks of the same operation. */
  readonly as?: string
  /** The steps that the check requires. */
  readonly prepare?: (site: Site) => Promise<unknown>
  readonly faults: readonly Fault[]
  /** Sends the valid request with these fields replaced. */
  send(site: Site, fields: object): Promise<ServiceResponse>
}

interface Declared extends Omit<Checks, 'send'> {
  /** The fields of the valid request, for the current state of the site. */
  readonly sound: (site: Site) => object | Promise<object>
}

/** The checks of an operation with a JSON body. */
export function checksOf({ sound, ...checks }: Declared): Checks {
  return {
    ...checks,
    send: async (site, fields) => site.world.service.call(checks.operation, { ...(await sound(site)), ...fields }),
  }
}

export const nothing = 'no-such-thing'

export const wrong = (code: ErrorCode, fields: object): Fault => ({ code, fields })

/** Preceding steps make the request fail. */
export const after = (code: ErrorCode, ...steps: Step[]): Fault => ({ code, prepare: done(...steps) })

/** The pick up point is out of service, or one of its lockers. */
export const broken = (lockerName?: string): Fault => ({
  code: 'LockerOutOfService',
  about: 'locker',
  prepare: site => takeOutOfService(site, lockerName),
})

/** Takes the pick up point of the bookings out of service, or one of its lockers. */
export async function takeOutOfService({ world: { service } }: Site, lockerName?: string): Promise<void> {
  await createLockerRegistry(service.store, Date.now).takeOutOfService({ pupUid: 'square', lockerName }, 'broken')
}

export function done(...steps: Step[]) {
  return async (site: Site): Promise<void> => {
    for (const step of steps) await site.run(step)
  }
}

/** The uid of the first shipment. */
export const a = ({ uids }: Site) => uids.get('a') ?? 'none'
