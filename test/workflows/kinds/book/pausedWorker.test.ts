import { once } from 'node:events'
import { expect, test } from 'vitest'
import { pass } from '../../../../testing/stack/wire.ts'
import { eventually, gate } from '../../../support/eventually.ts'
import { parcel } from '../../../support/world/apiWorld.ts'
import { useWorld } from '../../../support/world/useWorld.ts'
import { startProcess } from '../../../support/world/workerProcess.ts'

const world = useWorld()

test('a worker that is paused beyond its first attempt books once', async () => {
  const caseNo = world.newCase()
  await world.stopWorker()
  const worker = await startProcess(world)
  const paused = gate()
  const creates = () => world.toService.passings.filter(({ path }) => path.includes('/CreateLocal')).length
  world.toService.rule = ({ path, before }) =>
    path.includes('/CreateLocal') && before === 0 ? { kind: 'answerLater', until: paused.opened } : pass
  await world.flows.start('stock', { caseNo, request: parcel })
  const shipment = await eventually(async () => (await world.shipmentsOf(caseNo))[0])
  worker.kill('SIGSTOP')
  // Another worker takes the flow over once Temporal misses the paused one, and each task that it still gives to it.
  await world.restartWorker()
  const booked = { kind: 'Booked', shipments: [{ shipmentUid: shipment.shipmentUid }] }
  const start = () => world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, { timeout: 120_000 })
  expect(await start()).toMatchObject(booked)
  expect(creates()).toBe(2)

  worker.kill('SIGCONT')
  paused.open()
  // It gets its late response, learns that another worker has the flow, and stops cleanly.
  worker.kill('SIGTERM')
  await once(worker, 'exit')
  expect(await start()).toMatchObject(booked)
  expect(await world.flows.cancel(caseNo, 'over')).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })
})
