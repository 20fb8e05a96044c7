import { once } from 'node:events'
import { expect, test } from 'vitest'
import { pass } from '../wire/wire.ts'
import { eventually, gate } from './eventually.ts'
import { useWorld } from './useWorld.ts'
import { startProcess } from './workerProcess.ts'
import { parcel } from './world.ts'

const world = useWorld()

test('a worker that is paused past its first attempt and comes back books once', async () => {
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
  const start = () => world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, { deadline: 120_000 })
  expect(await start()).toMatchObject(booked)
  expect(creates()).toBe(2)

  worker.kill('SIGCONT')
  paused.open()
  // It hears its late answer, is told that the flow is somebody else's, and stops as if nothing had been.
  worker.kill('SIGTERM')
  await once(worker, 'exit')
  expect(await start()).toMatchObject(booked)
  expect(await world.flows.cancel(caseNo, 'over')).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })
}, 180_000)
