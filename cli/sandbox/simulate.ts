import { type Api, createApi } from '#contract/client'
import { parseDuration } from '#flows'
import type { Opening } from '#testing/story'
import type { Shipment } from '#testing/story/arrivals'
import { findWrongCode } from '#testing/story/people'
import { CommandFailure, exitCodes, misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { noteWait } from '../command/waiting.ts'
import { describeShipment, listShipments, openingOf, openLocker, waitFor } from './shipments.ts'
import { readTarget } from './target.ts'

const actions: readonly (string | undefined)[] = ['dropOff', 'pickUp', undefined]

/** Opens the locker of a case or shipment as a person, by the specification's simulation (staging only). */
export async function run({ values, options, output, environment }: VerbCall): Promise<void> {
  const [subject = '', action] = values
  if (!actions.includes(action)) throw misuse(`action: must be dropOff or pickUp, got "${action}".`)
  const timeout = readTimeout('--wait', options.wait)
  const api = createApi(readTarget(environment))
  try {
    const isWanted = (shipment: Shipment) => {
      const opening = openingOf(shipment)
      return opening !== undefined && (action === undefined || opening === action)
    }
    const find = (shipments: readonly Shipment[]) => {
      const ready = shipments.filter(isWanted)
      return ready.length > 0 ? ready : undefined
    }
    const { found, shipments } = await noteWait(
      output,
      `simulate: waits up to ${options.wait} until a locker of ${subject} is ready for ${action ?? 'a person'}`,
      waitFor(() => listShipments(api, subject), find, timeout),
    )
    const [shipment, other] = found ?? []
    if (shipment === undefined) throw notReady(subject, action, shipments, timeout > 0 ? options.wait : undefined)
    if (other !== undefined) {
      const choices = (found ?? []).map(describeShipment).join('; ')
      throw misuse(`case: must be a shipment uid, since ${subject} has several lockers to open: ${choices}.`)
    }
    if (options.wrongCode === true) return await enterWrongCode(api, shipment)
    const opening = openingOf(shipment) as Opening
    const after = await openLocker(api, shipment, opening)
    const { shipmentUid, lockerName, pupUid } = shipment
    const answer = {
      action: opening,
      shipmentUid,
      pupUid,
      lockerName,
      before: shipment.stateCode,
      after: after.stateCode,
    }
    output.result(answer, () => [
      `${opening} at locker ${lockerName} of ${pupUid}: ${shipmentUid} ${shipment.stateCode} -> ${after.stateCode}`,
    ])
  } finally {
    await api.close()
  }
}

/** The service refuses, which is the failure of the verb. */
async function enterWrongCode(api: Api, shipment: Shipment): Promise<void> {
  const { shipmentUid, pupUid, lockerName } = shipment
  const pinCode = await findWrongCode(api, shipmentUid)
  await api.call('SimulateLockerAccess', { pupUid: pupUid ?? '', lockerName: lockerName ?? '', pinCode })
}

/** @returns milliseconds */
export function readTimeout(option: string, text: unknown): number {
  const timeout = typeof text === 'string' ? parseDuration(text) : 0
  if (timeout === undefined) throw misuse(`${option}: must be a duration such as 20s, got "${text}".`)
  return timeout
}

/** @param waited the length of a wait that has passed */
function notReady(
  subject: string,
  action: string | undefined,
  shipments: readonly Shipment[],
  waited: unknown,
): CommandFailure {
  const wait = waited === undefined ? 'Wait for the booking with --wait 20s' : `Wait longer than --wait ${waited}`
  const found = shipments.map(describeShipment).join('; ')
  const states = shipments.length === 0 ? 'This case or shipment does not exist.' : `It has ${found}.`
  return new CommandFailure(
    'InvalidShipmentState',
    `No locker of ${subject} waits for ${action ?? 'a person'}. ${states}`,
    {
      exitCode: exitCodes.failed,
      remedy: `${wait}, or see the state of the flow: lockerflow flow status.`,
    },
  )
}
