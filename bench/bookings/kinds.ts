import { operations } from '#contract'
import { openBareReceiver } from './bareReceiver.ts'
import type { BookingBodies } from './load.ts'
import { points } from './places.ts'
import { call, type RunningService } from './runningService.ts'

/** Stock without a user, a key and a callback. */
export const stock: BookingBodies = { fields: {}, hasKeys: false }

/** A kind of booking. */
export interface BookingKind {
  readonly name: string
  readonly path: string
  /** Prepares a service. The caller calls `stop` after its bookings. */
  prepare(service: RunningService): Promise<{ readonly bodies: BookingBodies; stop(): Promise<void> }>
}

/** The cheapest booking. */
export const stockKind: BookingKind = {
  name: 'stock',
  path: operations.CreateLocalShipmentAsStock.path,
  prepare: async () => ({ bodies: stock, stop: async () => undefined }),
}

/** The booking of a flow: for a user, with an Idempotency-Key, and with a receiver of its callback. */
export const issueKind: BookingKind = {
  name: 'issue with key, user and receiver',
  path: operations.CreateLocalShipmentAsIssue.path,
  async prepare(service) {
    const { url, stop } = await openBareReceiver()
    await call(service, 'ConfigureCallback', { url, authType: 'HMAC' })
    const { userUid } = await call(service, 'CreateAccount', {
      emailAddress: 'ada@bench.example',
      firstName: 'Ada',
      lastName: 'Lovelace',
      pickUpPointUid: points()[0],
    })
    return {
      bodies: { fields: { ToUserUid: String(userUid) }, hasKeys: true },
      stop: async () => stop(),
    }
  },
}
