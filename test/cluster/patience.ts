import { setTimeout as pause } from 'node:timers/promises'
import type { Api } from '#api'
import { createPeople, type People } from '#cli'
import type { FlowClient } from '#client'
import type { FlowShipment } from '#contract/terms'

/** How long anybody tries, in milliseconds; longer than anything here is away. */
export const patience = 120_000
const everyMs = 250

/** Tries until it does not throw, as a caller does who knows that the other side comes back. */
async function patiently<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
  for (const start = Date.now(); ; await pause(everyMs)) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() - start > patience) throw error
    }
  }
}

/** An API client that repeats whatever fails: for operations that may be done twice. */
export function patientApi(api: Api): Api {
  return { ...api, call: (...args: Parameters<Api['call']>) => patiently(() => api.call(...args)) } as Api
}

/** A flow client that outlasts Temporal's absence. What it asks for may be asked twice: it names the case. */
export function patientFlows(flows: FlowClient): FlowClient {
  return {
    ...flows,
    startAndWaitForBooking: (...args) =>
      patiently(async () => {
        const answer = await flows.startAndWaitForBooking(...args)
        if (answer.kind === 'BookingPending') throw new Error('the booking takes long')
        return answer
      }),
    status: caseNo => patiently(() => flows.status(caseNo)),
    result: caseNo => patiently(() => flows.result(caseNo)),
  }
}

/**
 * People who try the door again when nothing happens. An opening counts once, and its answer can be lost with the
 * service that did it: so whoever got no answer looks at the shipment first.
 */
export function patientPeople(api: Api): People {
  const people = createPeople(api)
  const stateOf = async ({ shipmentUid }: FlowShipment) =>
    (await patientApi(api).call('GetShipments', { shipmentUid })).items[0]?.stateCode

  async function open(done: keyof People, shipment: FlowShipment): Promise<void> {
    const before = await stateOf(shipment)
    await patiently(async () => {
      if ((await stateOf(shipment)) === before) await people[done](shipment)
    })
  }
  return { dropOff: shipment => open('dropOff', shipment), pickUp: shipment => open('pickUp', shipment) }
}
