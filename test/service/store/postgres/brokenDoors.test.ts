import { tracingChannel } from 'node:diagnostics_channel'
import { expect, onTestFinished, test } from 'vitest'
import { eventually, gate } from '../../../support/eventually.ts'
import { openHardwareSite } from '../../../support/hardware/hardwareSite.ts'
import { eventOf, signed } from '../../../support/hardware/messages.ts'
import { countWaits, holdWrites } from '../../../support/service/heldWrites.ts'

test('a failed opening waits for the event of its broken door, and neither fails', async () => {
  const site = await openHardwareSite({ unlockTimeout: 20_000 })
  onTestFinished(site.stop)
  const { store } = site.world.service
  const shipment = site.lettersIn(await site.run('Issue', { PupUid: 'shared' }))
  const lockerUid = await site.lockerOf(shipment)
  const failures = watchTransactions()

  const { opened: arrived, open: arrive } = gate()
  await site.behave(lockerUid, 'refuse')
  // The state of the door is not read: this test sends the event at its own moment.
  site.toAdapter.rule = ({ path }) => (path === '/open' ? { kind: 'arriveLater', until: arrived } : { kind: 'cut' })
  const unlocking = site.run(`unlock DropOff ${shipment}`)
  await eventually(() => site.toAdapter.passings.find(({ body }) => body.includes(lockerUid)))

  const release = await holdWrites(store, 'locker_doors')
  const event = eventOf({ event: 'broken', pupUid: 'shared', lockerUid })
  const reporting = site.world.service.send('/hardware/events', signed(JSON.stringify(event)))
  await eventually(async () => (await countWaits(store, 'held')) === 1)
  arrive()
  await eventually(async () => (await countWaits(store, 'lock')) === 1)
  await release()

  expect((await unlocking).body).toMatchObject({ error: 'UnlockFailed' })
  expect(await reporting).toMatchObject({ status: 200 })
  expect((await site.read(shipment)).outOfService).not.toBeNull()
  expect(await site.recorded(lockerUid)).toMatchObject({ state: 'broken', failed_open_id: expect.any(String) })
  // A deadlock is one, although its transaction is repeated.
  expect(failures).toEqual([])
})

/** The errors of transactions until the test ends. */
function watchTransactions(): readonly unknown[] {
  const errors: unknown[] = []
  const note = (message: unknown) => void errors.push((message as { readonly error: unknown }).error)
  const channel = tracingChannel('lockerflow:transaction')
  channel.error.subscribe(note)
  onTestFinished(() => void channel.error.unsubscribe(note))
  return errors
}
