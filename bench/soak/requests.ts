import { randomUUID } from 'node:crypto'
import { type Api, createApi } from '#contract/client'
import { createOpeners } from '#testing/story/people'
import { operations, tokenPath } from '#contract'
import { openBareReceiver } from '../service/bareReceiver.ts'
import { bookingAt, credentials } from '../service/places.ts'
import { type RunningService, startService } from '../service/runningService.ts'

/** Bookings between two sign-ins, and between two changes of the URL of callbacks. */
const [signInEvery, changeEvery] = [10, 50]

/** A service, and the requests that are repeated at it. */
export interface Requests {
  readonly service: RunningService
  /** Books, opens lockers, removes the account, and makes wrong requests. Each call has values that no other has. */
  repeat(n: number): Promise<void>
  stop(): Promise<void>
}

/** Starts a service with callbacks to a receiver. @param variables further settings of the service */
export async function startRequests(
  databaseUrl: string,
  variables: Readonly<Record<string, string>>,
): Promise<Requests> {
  const service = await startService(databaseUrl, 'many', variables)
  const { origin } = service
  const receiver = await openBareReceiver()
  const settings = { baseUrl: origin, authUrl: origin, ...credentials }
  const api = createApi(settings)
  const configure = (path: string) => api.call('ConfigureCallback', { url: receiver.url + path, authType: 'HMAC' })
  await configure('')
  return {
    service,
    async repeat(n) {
      await bookAndCollect(api, n)
      await Promise.all([
        post(`${origin}/${randomUUID()}`, {}, ''),
        post(origin + operations.GetPickUpPoints.path, { authorization: `Bearer ${randomUUID()}` }, '{}'),
        post(origin + tokenPath, {}, new URLSearchParams({ client_id: randomUUID(), client_secret: 'wrong' })),
      ])
      if (n % signInEvery === 0) {
        const other = createApi(settings)
        await other.call('GetPickUpPoints', {})
        await other.close()
      }
      if (n % changeEvery === 0) await configure(String(n))
    },
    async stop() {
      await api.close()
      await service.stop()
      receiver.stop()
    },
  }
}

/** An issue from its booking to its end, and a stock booking that is cancelled. */
async function bookAndCollect(api: Api, n: number): Promise<void> {
  const parcel = bookingAt(n)
  const { userUid } = await api.call('CreateOrGetAccount', {
    emailAddress: `${randomUUID()}@example.org`,
    firstName: 'Robin',
    lastName: 'Reader',
    pickUpPointUid: parcel.PupUid,
  })
  if (userUid === null) throw new Error('The service created no account.')
  const { dropOff, pickUp } = createOpeners(api)
  const [shipmentUid = ''] = (
    await api.call('CreateLocalShipmentAsIssue', { ...parcel, ToUserUid: userUid }, { idempotencyKey: randomUUID() })
  ).shipmentUids
  const { items } = await api.call('GetShipments', { shipmentUid })
  for (const item of items) {
    await dropOff({ ...item, role: 'issue' })
    await pickUp({ ...item, role: 'issue' })
  }
  const { shipmentUids } = await api.call('CreateLocalShipmentAsStock', parcel)
  for (const uid of shipmentUids) await api.call('CancelShipment', { shipmentUid: uid })
  await api.call('RemoveAccount', { userUid })
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: string | URLSearchParams) {
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
}
