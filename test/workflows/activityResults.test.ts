import { expect, test } from 'vitest'
import type { FlowActivities } from '#activities/interface'
import { requireForm } from '../../workflows/activityResults.ts'

const shipment = { shipmentUid: 'S1', stateCode: 'Cancelled' }
const booked = { ...shipment, role: 'item', pupUid: 'pup-1', lockerName: null }
const plan = { version: 2 }

test.each<[keyof FlowActivities, readonly unknown[], readonly unknown[]]>([
  ['planFlow', [plan, { version: 99 }], [null, [], {}, { version: '2' }]],
  [
    'planAndBook',
    [
      { plan, bookings: null },
      { plan, bookings: [[booked]] },
    ],
    [null, plan, { plan }, { plan: {}, bookings: null }, { plan, bookings: [] }, { plan, bookings: [[shipment]] }],
  ],
  ['bookShipments', [[[booked], [booked, booked]]], [null, {}, [], [[]], [booked], [[shipment]]]],
  ['findBookings', [[], [[booked]]], [null, {}, [booked], [[shipment]]]],
  ['undoBooking', [[], [shipment], [{ ...shipment, left: 'It holds an item.' }]], [null, shipment, ['S1']]],
  ['cancelShipments', [[shipment]], [[{ shipmentUid: 'S1' }], [{ ...shipment, left: 7 }]]],
  ['cancelKeptBooking', [shipment], [null, [shipment], { stateCode: 'Cancelled' }]],
  [
    'readShipments',
    [[{ ...shipment, pupUid: null }]],
    [null, [{ ...shipment, pupUid: 7 }], [{ ...shipment, lockerName: {} }]],
  ],
  ['assignReceiver', [shipment, null], [undefined, [], { shipmentUid: 7, stateCode: 'Completed' }]],
  ['callOperation', [{}, { userUid: 'U1' }], [null, [], 'done']],
  ['resolveMoment', [{ moment: '2026-12-01T09:00:00Z' }], [null, {}, { moment: 7 }, { moment: 'tomorrow' }]],
  ['sendNotification', [undefined, null, 'sent'], []],
])('a result of %s that was completed by hand', (name, right, wrong) => {
  for (const result of right) expect(requireForm(name, result)).toBe(result)
  for (const result of wrong) {
    const read = () => requireForm(name, result)
    expect(read, JSON.stringify(result)).toThrow(
      expect.objectContaining({ type: 'InvalidActivityResult', details: [{ attempt: 1, outcomeUnknown: true }] }),
    )
  }
})
