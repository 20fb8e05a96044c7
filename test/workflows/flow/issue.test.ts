import { describe, expect, test } from 'vitest'
import { searchAttributes, toWorkflowId } from '#flows'
import { eventually } from '../../support/eventually.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()

describe('the issue flow', () => {
  test('books, receives both openings, and completes', async () => {
    const caseNo = world.newCase()
    const request = { ...parcel, ToUserUid: world.userUid }
    const booking = await world.flows.startAndWaitForBooking('issue', { caseNo, request })
    expect(booking).toMatchObject({
      kind: 'Booked',
      flow: 'issue',
      caseNo,
      shipments: [{ role: 'issue', stateCode: 'ReadyForDropOff', pupUid: 'pup-1', lockerName: expect.any(String) }],
    })
    if (booking.kind !== 'Booked' || !booking.shipments[0]) return
    const [shipment] = booking.shipments

    await world.open(shipment, 'deliveryCode')
    const waiting = await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    expect(waiting).toMatchObject({ state: 'waiting', overdue: false, shipments: [{ stateCode: 'ReadyForPickup' }] })

    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toEqual({
      kind: 'Ended',
      result: {
        flow: 'issue',
        caseNo,
        outcome: 'completed',
        shipments: [{ ...shipment, stateCode: 'Completed' }],
        leftOver: [],
      },
    })
  })

  test('puts the case number into the shipment', async () => {
    const caseNo = world.newCase()
    const request = { ...parcel, ToUserUid: world.userUid, Details: { ReferenceNo: 'R-1', Description: 'a laptop' } }
    await world.flows.startAndWaitForBooking('issue', { caseNo, request })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([
      { referenceNo: 'R-1', referenceCaseNo: caseNo, description: 'a laptop' },
    ])
    await world.flows.cancel(caseNo, 'over')
  })
})

describe('the stock flow', () => {
  test('completes when the item is in, and returns the shipment that can be issued later', async () => {
    const caseNo = world.newCase()
    const booking = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    if (booking.kind !== 'Booked' || !booking.shipments[0]) throw new Error(booking.kind)
    const [shipment] = booking.shipments
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({
      kind: 'Ended',
      result: {
        outcome: 'completed',
        shipments: [{ role: 'stock', stateCode: 'WaitForReceiver' }],
        stockShipmentUid: shipment.shipmentUid,
      },
    })
  })
})

test('a flow can be found by its search attributes', async () => {
  const caseNo = world.newCase()
  const request = { ...parcel, ToUserUid: world.userUid }
  const booking = await world.flows.startAndWaitForBooking('issue', { caseNo, request })
  if (booking.kind !== 'Booked') throw new Error(booking.kind)
  const { flow, pickUpPoint, user, shipments, steps, state, overdue } = searchAttributes
  const query = [
    `${flow.name} = 'issue'`,
    `${pickUpPoint.name} = 'pup-1'`,
    `${user.name} = '${world.userUid}'`,
    `${shipments.name} = '${booking.shipments[0]?.shipmentUid}'`,
    `${steps.name} = 'dropOff'`,
    `${state.name} = 'waiting'`,
    `${overdue.name} = false`,
  ].join(' AND ')
  await eventually(async () => {
    for await (const found of world.client.workflow.list({ query })) return found.workflowId === toWorkflowId(caseNo)
    return undefined
  })
  await world.flows.cancel(caseNo, 'over')
})

test('no access code is in a history', async () => {
  const caseNo = world.newCase()
  const request = { ...parcel, ToUserUid: world.userUid }
  const booking = await world.flows.startAndWaitForBooking('issue', { caseNo, request })
  if (booking.kind !== 'Booked' || !booking.shipments[0]) throw new Error(booking.kind)
  const [{ shipmentUid }] = booking.shipments
  const codes = await world.api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })
  await world.flows.cancel(caseNo, 'over')
  const { events } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  const history = JSON.stringify(events).replaceAll(/"data":"([^"]*)"/g, (_, data) =>
    Buffer.from(data, 'base64').toString(),
  )
  expect(history).toContain(shipmentUid)
  expect(codes.deliveryCode).toMatch(/^\d{6}$/)
  expect(history).not.toContain(codes.deliveryCode)
  expect(history).not.toContain(codes.pickUpCode)
})
