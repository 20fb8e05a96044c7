import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startLockers } from '@lockerflow/testing'

let lockers
beforeAll(async () => {
  lockers = await startLockers()
}, 300_000)
afterAll(() => lockers.stop())

test('a reminder goes out when a parcel stays in its locker', async () => {
  const ToUserUid = await lockers.people.create('robin')
  const booked = await lockers.flows.startAndWaitForBooking('issue', {
    caseNo: 'R-1001',
    request: {
      ...{ PupUid: 'pup-1', ToUserUid, Dimension: { width: 30, height: 15, length: 40 } },
      ...{ AllowLargerLockers: true, AllowOverflowLockers: false },
    },
    windows: { pickUp: '48h' },
  })
  expect(booked.kind).toBe('Booked')

  await lockers.people.dropOff('R-1001')
  await lockers.notifications.next('flow.stageReached', { caseNo: 'R-1001' })
  await lockers.clock.advance('49h')
  const overdue = await lockers.notifications.next('flow.overdue')
  expect(overdue.data.caseNo).toBe('R-1001')

  await lockers.people.pickUp('R-1001')
  const ended = await lockers.flows.result('R-1001')
  expect(ended).toMatchObject({ result: { outcome: 'completed' } })
}, 60_000)
