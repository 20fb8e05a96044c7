import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operations } from '#contract'
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
    const receiver = createServer((request, response) => {
      request.resume().once('end', () => response.writeHead(204).end())
    })
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    await call(service, 'ConfigureCallback', { url, authType: 'HMAC' })
    const { userUid } = await call(service, 'CreateAccount', {
      emailAddress: 'ada@bench.example',
      firstName: 'Ada',
      lastName: 'Lovelace',
      pickUpPointUid: points()[0],
    })
    return {
      bodies: { fields: { ToUserUid: String(userUid) }, hasKeys: true },
      async stop() {
        receiver.close()
        receiver.closeAllConnections()
      },
    }
  },
}
