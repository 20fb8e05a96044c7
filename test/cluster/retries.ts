import { setTimeout as pause } from 'node:timers/promises'
import type { FlowClient } from '#client'
import type { Api } from '#contract/client'
import type { FlowShipment } from '#flows'
import { createOpeners, type Openers } from '#testing/story/people'

/** Milliseconds; longer than any downtime of this test. */
export const retryTimeout = 120_000
const everyMs = 250

/** Retries until the call succeeds or the time is over. */
async function withRetries<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
  for (const start = Date.now(); ; await pause(everyMs)) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() - start > retryTimeout) throw error
    }
  }
}

/** An API client that retries every failure. For idempotent operations only. */
export function retryingApi(api: Api): Api {
  return { ...api, call: (...args: Parameters<Api['call']>) => withRetries(() => api.call(...args)) } as Api
}

/** A flow client that retries while Temporal is unavailable. Every call names the case, so it is safe to repeat. */
export function retryingFlows(flows: FlowClient): FlowClient {
  return {
    ...flows,
    startAndWaitForBooking: (...args) =>
      withRetries(async () => {
        const answer = await flows.startAndWaitForBooking(...args)
        if (answer.kind === 'BookingPending') throw new Error('the booking is pending')
        return answer
      }),
    status: caseNo => withRetries(() => flows.status(caseNo)),
    result: caseNo => withRetries(() => flows.result(caseNo)),
  }
}

/**
 * People who retry the door. An opening takes effect once, but a killed service can lose its response. So the caller
 * reads the shipment before it retries.
 */
export function retryingPeople(api: Api): Openers {
  const people = createOpeners(api)
  const stateOf = async ({ shipmentUid }: FlowShipment) =>
    (await retryingApi(api).call('GetShipments', { shipmentUid })).items[0]?.stateCode

  async function open(done: keyof Openers, shipment: FlowShipment): Promise<void> {
    const before = await stateOf(shipment)
    await withRetries(async () => {
      if ((await stateOf(shipment)) === before) await people[done](shipment)
    })
  }
  return { dropOff: shipment => open('dropOff', shipment), pickUp: shipment => open('pickUp', shipment) }
}
