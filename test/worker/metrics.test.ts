import { once } from 'node:events'
import { expect, test } from 'vitest'
import { freePort } from '../../platform/ports.ts'
import { book } from '../support/flows/booking.ts'
import { useWorld } from '../support/world/useWorld.ts'
import { startProcess } from '../support/world/workerProcess.ts'

const world = useWorld()

test('a worker with LOCKERFLOW_METRICS_PORT answers Prometheus', async () => {
  await world.stopWorker()
  const port = await freePort('127.0.0.1')
  const worker = await startProcess(world, { LOCKERFLOW_METRICS_PORT: String(port) })
  try {
    const { caseNo } = await book(world, 'stock')
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    await expect
      .poll(metrics)
      .toMatch(/^temporal_activity_execution_latency_seconds_count{.*activity_type="planAndBook".*} 1$/m)
    await world.flows.cancel(caseNo, 'over')
  } finally {
    worker.kill()
    await once(worker, 'exit')
    await world.restartWorker()
  }
})
