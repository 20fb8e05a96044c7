import { once } from 'node:events'
import { expect, test } from 'vitest'
import { freePort } from '../../cli/ports.ts'
import { readEnvironment } from '../../worker/environment.ts'
import { book } from '../support/flows/booking.ts'
import { useWorld } from '../support/world/useWorld.ts'
import { startProcess } from '../support/world/workerProcess.ts'

const world = useWorld()

test('a worker with LOCKERFLOW_METRICS_PORT answers Prometheus', async () => {
  await world.stopWorker()
  const port = await freePort('0.0.0.0')
  const worker = await startProcess(world, { LOCKERFLOW_METRICS_PORT: String(port) })
  try {
    const { caseNo } = await book(world, 'stock')
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(metrics).toMatch(/^temporal_activity_execution_latency_count{.*activity_type="planAndBook".*} 1$/m)
    await world.flows.cancel(caseNo, 'over')
  } finally {
    worker.kill()
    await once(worker, 'exit')
    await world.restartWorker()
  }
})

test.each(['0', '65536', 'http'])('LOCKERFLOW_METRICS_PORT=%s is refused', text => {
  const wrong = /^LOCKERFLOW_METRICS_PORT: must be a port from 1 to 65535/
  expect(() => readEnvironment({ LOCKERFLOW_METRICS_PORT: text })).toThrow(wrong)
})
