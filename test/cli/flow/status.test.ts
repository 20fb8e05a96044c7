import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { searchAttributes, toWorkflowId } from '#flows'
import { shipmentStatus } from '#flows/messages'
import { readCallbacks } from '../../../cli/flow/callbacks.ts'
import { moment } from '../../../cli/flow/text.ts'
import { writeAhead, writeDevFile } from '../../../cli/sandbox/devFile.ts'
import { startVerb } from '../../support/command/verbs.ts'
import { runVerb } from '../../support/command.ts'
import { eventually } from '../../support/eventually.ts'
import { book } from '../../support/flows/booking.ts'
import { hour } from '../../support/flows/clock.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const encode = (text: string) => new TextEncoder().encode(text)

function temporalOf({ client }: typeof world) {
  const { options } = client.connection as unknown as { readonly options: { readonly address: string } }
  return { address: options.address, namespace: client.options.namespace }
}

/** Runs a verb against the world. */
function lockerflow(...args: string[]) {
  return runVerb(args, environment())
}

function environment() {
  const { address, namespace } = temporalOf(world)
  return { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, LOCKERFLOW_TASK_QUEUE: world.taskQueue }
}

/** Enters the folder of a stack at the Temporal of the world, whose clock is ahead by these milliseconds. */
async function enterStack(ahead: number): Promise<void> {
  const [home, folder, url] = [process.cwd(), temporaryFolder(), 'http://127.0.0.1:2']
  process.chdir(folder)
  onTestFinished(() => process.chdir(home))
  mkdirSync('.lockerflow')
  await writeDevFile('.lockerflow', {
    ...{ pid: process.pid, baseUrl: url, clientId: 'acme', clientSecret: 's', gatewayUrl: url },
    ...{ temporal: temporalOf(world), control: { url, token: 'token' } },
  })
  await writeAhead('.lockerflow', ahead)
}

/** Starts a flow as a client in any language does. */
async function start(caseNo: string, options: object): Promise<string> {
  const { taskQueue, client } = world
  const args = [{ caseNo, request: parcel }]
  const typedSearchAttributes = [
    { key: { name: searchAttributes.caseNo.name, type: 'KEYWORD' as const }, value: caseNo },
  ]
  await client.workflow.start('stock', {
    workflowId: toWorkflowId(caseNo),
    taskQueue,
    args,
    typedSearchAttributes,
    ...options,
  })
  return caseNo
}

test.each([
  ['a delayed start', { startDelay: '3d' }],
  ['a cron schedule', { cronSchedule: '0 0 29 2 *' }],
])('the status of a flow with %s names when it begins', async (_, options) => {
  const caseNo = await start(`B-${randomUUID()}`, options)
  const { lines, values, code } = await lockerflow('flow', 'status', caseNo)
  expect([code, lines.slice(0, 3)]).toEqual([0, [`${caseNo}  stock  booking`, '', 'Waits for']])
  expect(lines[3]).toMatch(/^ {2}its start: \d{4}-\S+ \S+ UTC \(in .*\)$/)
  expect(values[0]).toMatchObject({ caseNo, flow: 'stock', state: 'booking', beginsAt: expect.any(String) })
  await world.client.workflow.getHandle(toWorkflowId(caseNo)).terminate('over')
})

test('an overdue flow shows since when, not its next reminder, by the clock of its stack', async () => {
  const { caseNo } = await book(world, 'stock', { dropOff: '1s' })
  const { since } = await world.statusWhen(caseNo, ({ overdue }) => overdue)
  const passed = new Date(Date.parse(since) + 1_000).toISOString()
  await enterStack(30 * hour)
  const { lines, values } = await lockerflow('flow', 'status', caseNo)
  expect(values[0]).toMatchObject({ overdueSince: passed })
  expect(lines.find(line => line.startsWith('▶'))).toMatch(new RegExp(`overdue since ${moment(passed)}$`))
  expect(lines[lines.indexOf('Next reminder') + 1]).toMatch(/\(1 d ago\)$/)

  const watching = startVerb(environment(), 'flow', 'watch', caseNo)
  const late = await eventually(async () => watching.lines.find(line => line.includes('overdue')))
  watching.interrupt(new Error('over'))
  await watching.ended
  expect(late).toMatch(new RegExp(`^dropOff has been overdue since ${moment(passed)}, next reminder \\d{4}-`))
  await world.flows.cancel(caseNo, 'over')
})

test('the last callbacks are those that name a shipment and a state', async () => {
  const { caseNo, shipment } = await book(world, 'stock')
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  await handle.signal(shipmentStatus, {
    shipmentUid: shipment.shipmentUid,
    stateCode: 'ReadyForDropOff',
    stateStart: '',
  })
  for (const junk of [null, 'text', 5, {}, { shipmentUid: shipment.shipmentUid }, { stateCode: 'Completed' }, [[]]])
    await handle.signal(shipmentStatus, junk as never)
  await world.client.workflowService.signalWorkflowExecution({
    namespace: world.client.options.namespace,
    workflowExecution: { workflowId: toWorkflowId(caseNo) },
    signalName: shipmentStatus.name,
    input: { payloads: [{ metadata: { encoding: encode('application/x-unknown') }, data: encode('{}') }] },
    requestId: randomUUID(),
  })
  const { lines, values, code } = await lockerflow('flow', 'status', caseNo)
  expect(code).toBe(0)
  const { callbacks } = values[0] as { callbacks: readonly unknown[] }
  expect(callbacks[0]).toMatchObject({ shipmentUid: shipment.shipmentUid, stateCode: 'ReadyForDropOff' })
  expect(lines[lines.indexOf('Last callbacks') + 1]).toMatch(/ {2}stock {2}ReadyForDropOff$/)
  await world.flows.cancel(caseNo, 'over')
})

test('the last callbacks are found behind more later events than one page has', async () => {
  // A flow that waits for cron records each signal alone. Signals during a workflow task share a place in the page.
  const caseNo = await start(`C-${randomUUID()}`, { cronSchedule: '0 0 29 2 *' })
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  const callback = { shipmentUid: randomUUID(), stateCode: 'ReadyForDropOff' }
  await handle.signal(shipmentStatus, { ...callback, stateStart: '' })
  await Promise.all(Array.from({ length: 220 }, () => handle.signal('noSuchSignal')))
  const { client } = world
  expect(await readCallbacks(client, caseNo, 5)).toEqual([expect.objectContaining(callback)])
  await handle.terminate('over')
})

test('a list shows how a flow ended that its workflow code does not know of', async () => {
  const [terminated, timedOut, refused] = [`E-${randomUUID()}`, `E-${randomUUID()}`, `E-${randomUUID()}`]
  await start(terminated, { startDelay: '3d' })
  await world.client.workflow.getHandle(toWorkflowId(terminated)).terminate('by mistake')
  await start(timedOut, { startDelay: '3d', workflowExecutionTimeout: '1s' })
  await start(refused, { args: [{ caseNo: refused, request: {} }] })
  const ends = { [terminated]: 'terminated', [timedOut]: 'timed out', [refused]: 'failed' }
  for (const [caseNo, end] of Object.entries(ends)) {
    const { lines, values } = await eventually(async () => {
      const listed = await lockerflow('flow', 'list', '--where', `case = '${caseNo}'`)
      const { cases } = listed.values[0] as { cases: readonly { endedAt: string | null }[] }
      return cases[0]?.endedAt == null ? undefined : listed
    })
    const endedFromOutside = end === 'failed' ? null : end
    expect(values[0]).toMatchObject({ cases: [{ caseNo, failed: true, endedFromOutside }] })
    expect(lines[1]?.split(/ {2,}/).slice(0, 3)).toEqual([caseNo, 'stock', end])
  }
})
