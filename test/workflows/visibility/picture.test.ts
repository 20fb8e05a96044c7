import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { type FlowStatus, toWorkflowId } from '#flows'
import { root } from '../../project/sources.ts'
import { eventually } from '../../support/eventually.ts'
import { book } from '../../support/flows/booking.ts'
import { eventsOf } from '../../support/flows/history.ts'
import { temporaryFile } from '../../support/hardware/temporaryFile.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const run = promisify(execFile)

function statusOf(caseNo: string): Promise<FlowStatus> {
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  return handle.query<FlowStatus, [object]>('status', { picture: true })
}

/** The details in the Web UI, once they show the current step. */
function detailsOf(caseNo: string): Promise<string> {
  return eventually(async () => {
    const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
    const { currentDetails } = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata')
    return currentDetails?.includes('▶') ? currentDetails : undefined
  })
}

test('a running case shows the windows of the steps that may come', async () => {
  const { caseNo } = await book(world, 'issue')
  await world.statusWhen(caseNo, ({ step }) => step === 'dropOff')
  expect((await statusOf(caseNo)).picture?.steps).toMatchObject([
    { name: 'booking', state: 'done' },
    { name: 'dropOff', state: 'current', window: '2d' },
    { name: 'pickUp', state: 'ahead', window: '3d' },
  ])
  const details = await detailsOf(caseNo)
  expect(details).toMatch(/2\. ▶ \*\*dropOff: .*\*\* \(until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)/)
  expect(details).toMatch(/3\. ○ pickUp: .* \(3d\)/)
  expect(await world.flows.cancel(caseNo, 'not needed')).toMatchObject({ kind: 'Cancelled' })
})

test('a running case shows its way, its current step and its deadline, without another event', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ step }) => step === 'pickUp')
  const before = (await eventsOf(world, caseNo)).length

  const { picture, deadline } = await statusOf(caseNo)
  expect(picture?.steps).toMatchObject([
    { name: 'booking', state: 'done', cause: 'reached', next: 'dropOff' },
    { name: 'dropOff', state: 'done', cause: 'reached', next: 'pickUp' },
    { name: 'pickUp', state: 'current', cause: null },
  ])
  expect(picture?.until).toBe(deadline)

  const details = await detailsOf(caseNo)
  expect(details).toMatch(/2\. ✓ dropOff: .* \(reached, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)/)
  expect(details).toMatch(/3\. ▶ \*\*pickUp: .*\*\* \(until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)/)

  const svg = join(tmpdir(), `${caseNo}.svg`)
  const { address, namespace } = inject('temporal')
  const env = { ...process.env, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }
  const { stdout } = await run(process.execPath, ['cli/lockerflow.ts', 'flows', 'diagram', caseNo, '--svg', svg], {
    cwd: root,
    env,
  })
  expect(stdout).toContain('  s0 ==>|"reached"| s1\n  s1 ==>|"reached"| s2\n')
  expect(stdout).toContain('  class s2 current\n')
  expect(await readFile(svg, 'utf8')).toContain('>3. pickUp</tspan>')
  await rm(svg)

  expect((await eventsOf(world, caseNo)).length).toBe(before)
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  const { picture: ended } = await statusOf(caseNo)
  expect(ended).toMatchObject({ outcome: 'completed', until: null })
  expect(ended?.steps.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
})

test('a recorded case shows the way that its history took', async () => {
  const history = 'test/histories/parcelReturn-refunded.json'
  const svg = temporaryFile('picture.svg', '')
  const words = ['cli/lockerflow.ts', 'flows', 'diagram', history, '--svg', svg]
  const { stdout } = await run(process.execPath, words, { cwd: root })
  expect(stdout).toContain('  s4 ==>|"answer:refund"| finish\n')
  expect(stdout).toContain('  finish(["completed"])\n')
  expect(stdout).toContain('  class s5,s6,s7 leftOut\n')
  expect(await readFile(svg, 'utf8')).toMatch(/>answer:refund \d{4}-\d\d-\d\d \d\d:\d\d UTC<\/text>/)
})
