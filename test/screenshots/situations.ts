import type { FlowRequest } from '#client'
import type { FlowName, FlowShipment, FlowStatus } from '#flows'
import type { Stack } from '../../testing/stack/index.ts'
import { createOpeners } from '../../testing/story/people.ts'
import { eventually } from '../support/eventually.ts'

const parcel = {
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 15, length: 40 },
}

const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'

/** The cases that the pictures show. */
export const cases = { running: 'L-2001', overdue: 'L-2002', failed: 'I-3002' } as const

/**
 * Creates the flows of the pictures: a running loan, two overdue loans at one pick up point and one at another, an
 * issue that waits for its item, and an issue that found no locker.
 */
export async function createSituations({ api, flows }: Pick<Stack, 'api' | 'flows'>): Promise<void> {
  const people = createOpeners(api)
  const robin = await account('Robin')
  const kim = await account('Kim')

  async function account(firstName: string): Promise<string> {
    const emailAddress = `${firstName.toLowerCase()}@example.org`
    const { userUid } = await api.call('CreateOrGetAccount', {
      emailAddress,
      firstName,
      lastName: 'Reader',
      pickUpPointUid: 'pup-1',
    })
    if (userUid === null) throw new Error(`no account for ${firstName}`)
    return userUid
  }

  async function start(flow: FlowName, caseNo: string, request: Record<string, unknown>, windows = {}) {
    const typed = request as FlowRequest<typeof flow>
    const answer = await flows.startAndWaitForBooking(flow, { caseNo, request: typed, windows })
    if (answer.kind !== 'Booked') throw new Error(`${caseNo}: ${JSON.stringify(answer)}`)
    return answer.shipments
  }

  async function until(caseNo: string, holds: (status: FlowStatus) => boolean): Promise<void> {
    await eventually(async () => {
      const answer = await flows.status(caseNo)
      return answer.kind === 'Status' && holds(answer.status)
    })
  }

  async function stocked(caseNo: string, PupUid: string): Promise<string> {
    const shipment = roleOf(await start('stock', caseNo, { ...parcel, PupUid }), 'stock')
    await people.dropOff(shipment)
    await flows.result(caseNo)
    return shipment.shipmentUid
  }

  async function lend(caseNo: string, PriorShipmentUid: string, ToUserUid: string, windows = {}): Promise<void> {
    const shipments = await start(loan, caseNo, { PriorShipmentUid, ToUserUid }, windows)
    await until(caseNo, ({ stage }) => stage === 'pickUp')
    await people.pickUp(roleOf(shipments, 'issue'))
    await until(caseNo, ({ stage, overdue }) => stage === 'return' && (overdue || !('return' in windows)))
  }

  const short = { return: '2s' }
  await lend(cases.running, await stocked('S-1001', 'pup-1'), robin)
  await lend(cases.overdue, await stocked('S-1002', 'pup-1'), kim, short)
  await lend('L-2003', await stocked('S-1003', 'pup-1'), robin, short)
  await lend('L-2004', await stocked('S-1004', 'pup-2'), kim, short)
  await start('issue', 'I-3001', { ...parcel, PupUid: 'pup-1', ToUserUid: robin })
  // The only locker is booked for the return of the loan.
  const request = { ...parcel, PupUid: 'pup-2', ToUserUid: robin }
  const refused = await flows.startAndWaitForBooking('issue', { caseNo: cases.failed, request })
  if (refused.kind !== 'Refused') throw new Error(`${cases.failed} was not refused`)
}

function roleOf(shipments: readonly FlowShipment[], role: string): FlowShipment {
  const shipment = shipments.find(candidate => candidate.role === role)
  if (shipment === undefined) throw new Error(`no shipment has the role ${role}`)
  return shipment
}
