import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Lockers, startLockers } from '@lockerflow/testing'

let lockers: Lockers
before(async () => {
  lockers = await startLockers()
})
after(() => lockers.stop())

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
  assert.equal(booked.kind, 'Booked')

  await lockers.people.dropOff('R-1001')
  await lockers.notifications.next('flow.stageReached', { caseNo: 'R-1001' })
  await lockers.clock.advance('49h')
  const overdue = await lockers.notifications.next('flow.overdue')
  assert.equal(overdue.data.caseNo, 'R-1001')

  await lockers.people.pickUp('R-1001')
  const ended = await lockers.flows.result('R-1001')
  assert.equal(ended.kind === 'Ended' && ended.result.outcome, 'completed')
})
