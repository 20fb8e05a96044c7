import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { startMovableStack } from '../../../cli/sandbox/devStack.ts'
import { listSnapshots } from '../../../cli/sandbox/snapshots.ts'
import { eventually } from '../../support/eventually.ts'
import { sweepCase } from '../../support/flows/orphans.ts'
import { resetToStart } from '../../support/flows/reset.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { bundle } from '../../support/world/bundle.ts'

/** The process of Temporal's server that has its database in the folder. */
function findTemporal(folder: string): number {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  const pids = rows.filter(row => row.includes(join(folder, 'temporal.db'))).map(row => Number.parseInt(row, 10))
  expect(pids).toHaveLength(1)
  return pids[0] ?? 0
}

/** Starts a stack in a folder of its own. */
async function start() {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  const own = { bundle: await bundle() }
  const dev = await startMovableStack({ folder, own, temporal: 'own', webUi: false, progress: () => undefined })
  onTestFinished(async () => {
    await dev.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  return { folder, dev }
}

test('a snapshot that cannot be saved or restored does not stop the stack', async () => {
  const { folder, dev } = await start()
  const before = dev.stack
  await expect(dev.restore('none')).rejects.toMatchObject({
    message: 'name: must be the name of a snapshot, got "none". No snapshot exists yet: lockerflow snapshot saves one.',
    exitCode: 2,
  })
  await expect(dev.restore('two words')).rejects.toThrow('name: must be letters')
  await expect(dev.snapshot('two words')).rejects.toThrow('name: must be letters')
  expect(dev.stack === before).toBe(true)
  expect(await listSnapshots(folder)).toEqual([])
})

test('a stack that does not stop for a snapshot is started again without it', async () => {
  const { folder, dev } = await start()
  const before = dev.stack
  // The worker waits for a server that hangs, longer than its stop may take.
  process.kill(findTemporal(folder), 'SIGSTOP')
  await expect(dev.snapshot('first')).rejects.toThrow('The worker did not stop')
  expect(await listSnapshots(folder)).toEqual([])

  expect(dev.stack === before).toBe(false)
  expect(await dev.stack.api.call('GetPickUpPoints', {})).toMatchObject({ items: expect.anything() })
})

test('after the clock has moved for more than a day, a reset books nothing more, and a sweep finds the booking', async () => {
  const { dev } = await start()
  const { flows, api, client } = dev.stack
  const caseNo = 'R-1'
  expect(await flows.startAndWaitForBooking('stock', { caseNo, request: parcel })).toMatchObject({ kind: 'Booked' })
  await dev.advance('30h')
  const handle = client.workflow.getHandle(toWorkflowId(caseNo))
  const { runId } = await handle.describe()
  await resetToStart(dev.stack, caseNo)
  await eventually(async () => (await handle.describe()).runId !== runId)
  await eventually(async () => {
    const answer = await flows.status(caseNo)
    return answer.kind === 'Status' && answer.status.step === 'dropOff'
  })
  const { items } = await api.call('GetShipments', { referenceCaseNo: caseNo })
  expect(items).toHaveLength(1)

  await handle.terminate('as an operator would')
  const found = await sweepCase({ client, taskQueue: 'lockerflow' }, caseNo)
  expect(found).toMatchObject({ caseNo, shipments: [{ shipmentUid: items[0]?.shipmentUid }] })
})
