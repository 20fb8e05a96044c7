import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { describeRun } from '#client/cases'
import type { SweepReport } from '#flows'
import { readSweep } from '../../cli/sweep/arguments.ts'
import { scheduleId } from '../../cli/sweep/schedule.ts'
import { pass } from '../../testing/stack/wire.ts'
import { readCommand } from '../support/command/commandLine.ts'
import { runCommandLine } from '../support/command/processLike.ts'
import { eventually } from '../support/eventually.ts'
import { book } from '../support/flows/booking.ts'
import { terminate } from '../support/flows/orphans.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useOwnTemporal } from '../support/world/ownTemporal.ts'
import { useWorld } from '../support/world/useWorld.ts'

// The id of a sweep is fixed, so that two at a time exclude each other.
const temporal = useOwnTemporal()
const world = useWorld({}, temporal)

afterEach(() => command('--schedule', 'off'))

/** Runs the command by its own frame. */
function command(...args: string[]) {
  return commandWith({}, ...args)
}

async function commandWith(variables: Record<string, string>, ...args: string[]) {
  const run = await runCommandLine({ ...environment(), ...variables }, ['sweep', ...args])
  const { code, stdout: said, stderr: complained } = run
  return { code, said, complained }
}

function environment() {
  const { address, namespace } = temporal()
  return { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, LOCKERFLOW_TASK_QUEUE: world.taskQueue }
}

async function orphan() {
  const { caseNo, shipment } = await book(world, 'stock')
  await terminate(world, caseNo)
  return { caseNo, ...shipment }
}

test('accepts the flows that the setting declares', async () => {
  const variables = { LOCKERFLOW_FLOWS: 'test/support/flows/parcelReturn/parcelReturn.yaml' }
  const args = ['--adopt', '--flow', 'parcelReturn', '--case', 'no such case']
  expect(await commandWith(variables, ...args)).toMatchObject({ code: 0, complained: '' })
  const { code, complained } = await command(...args)
  expect({ code, complained }).toMatchObject({ code: 2, complained: expect.stringContaining('--flow: must be one of') })
})

test('lists, cancels and reports the remaining work', async () => {
  const { caseNo, shipmentUid, lockerName } = await orphan()
  const listed = await command('--case', caseNo, '--older-than', '1ms')
  expect(listed).toMatchObject({ code: 0, complained: '' })
  expect(listed.said).toContain(`${caseNo}  stock: its flow was closed as TERMINATED\n`)
  expect(listed.said).toContain(`  ${shipmentUid}  ReadyForDropOff  locker ${lockerName} at pup-1  since 2`)
  expect(listed.said).toContain('1 active shipment of 1 case without a running flow.')
  const young = await command('--case', caseNo, '--cancel')
  expect(young.said).toBe(
    '0 active shipments of 0 cases without a running flow.\n1 case changed too recently to be judged. Wait, or use a shorter --older-than.\n',
  )
  const cancelled = await command('--case', caseNo, '--older-than', '1ms', '--cancel', '--json')
  const report: SweepReport = JSON.parse(cancelled.said)
  expect(report.cases).toMatchObject([{ caseNo, shipments: [{ shipmentUid, stateCode: 'Cancelled' }] }])
})

test('adopts a case', async () => {
  const { caseNo } = await orphan()
  const adopted = await command('--case', caseNo, '--older-than', '1ms', '--adopt')
  expect(adopted.said).toContain(`${caseNo}  stock: its flow was closed as TERMINATED; adopted\n`)
  expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ outcome: 'cancelled', leftOver: [] })
})

test('exits with 1 if the service refuses a cancellation, and prints the report before', async () => {
  const { caseNo } = await orphan()
  const body = { success: false, error: 'InvalidShipmentState', message: 'No.' }
  world.toService.rule = ({ path }) => (path.endsWith('/CancelShipment') ? { kind: 'answer', body } : pass)
  const { code, said, complained } = await command('--case', caseNo, '--older-than', '1ms', '--cancel')
  world.toService.rule = () => pass
  expect(said).toContain('; left: the service refused: InvalidShipmentState\n')
  expect(code).toBe(1)
  expect(complained).toContain(
    'sweep: 1 of 1 case could not be processed.\n  Read the reasons above, then sweep again.',
  )
})

test('exits with 1 for a case that it cannot adopt, and with 0 if something is left to a person', async () => {
  const unknown = `T-${randomUUID()}`
  await world.api.call('CreateLocalShipmentAsStock', { ...parcel, Details: { ReferenceCaseNo: unknown } })
  const refused = await command('--case', unknown, '--older-than', '1ms', '--adopt')
  expect(refused.said).toContain('; left: say which flow it was, with --flow\n')
  expect(refused).toMatchObject({ code: 1, complained: expect.stringContaining('1 of 1 case could not be processed.') })

  const { caseNo, shipment } = await book(world, 'issue')
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ step }) => step === 'pickUp')
  await world.flows.cancel(caseNo, 'over')
  for (const [option, reason] of [
    ['--cancel', 'there is an item in the locker'],
    ['--adopt', 'its flow ended by itself, and left this to a person'],
  ] as const) {
    const left = await command('--case', caseNo, '--older-than', '1ms', option)
    expect(left.said).toContain(`; left: ${reason}\n`)
    expect(left).toMatchObject({ code: 0, complained: '' })
  }
})

test('creates and deletes the schedule of the sweep', async () => {
  const { caseNo } = await orphan()
  expect(await command('--schedule', '1d')).toMatchObject({ code: 0 })
  const handle = world.client.schedule.getHandle(scheduleId)
  expect((await handle.describe()).spec.intervals).toMatchObject([{ every: 86_400_000 }])
  const changed = await command('--schedule', 'every 1h', '--cancel', '--older-than', '1ms', '--case', caseNo)
  expect(changed).toMatchObject({ code: 0, complained: '' })
  expect((await handle.describe()).spec.intervals).toMatchObject([{ every: 3_600_000 }])
  await handle.trigger()
  await eventually(async () => (await world.shipmentsOf(caseNo)).every(({ stateCode }) => stateCode === 'Cancelled'))
  expect(await command('--schedule', 'off')).toMatchObject({ said: `schedule ${scheduleId} deleted\n` })
  expect(await command('--schedule', 'off')).toMatchObject({ code: 0, said: `schedule ${scheduleId} does not exist\n` })
})

test('reports the problem that stops it', async () => {
  expect(await command('--adopt', '--cancel')).toMatchObject({
    code: 2,
    said: '',
    complained: expect.stringMatching(
      /^sweep: --adopt: must not be combined with --cancel.\n {2}Run lockerflow sweep --help\./,
    ),
  })
  const running = await world.client.workflow.start('sweep', { workflowId: 'sweep', taskQueue: 'nobody', args: [] })
  const { code, complained } = await command()
  expect(code).toBe(1)
  expect(complained).toContain('another sweep is running')
  // One that its caller has encrypted with a key that the workers lack never ends by itself.
  expect(complained).toContain('temporal workflow terminate --workflow-id sweep')
  await running.terminate()
})

test('Ctrl-C cancels the sweep, which would otherwise run when a worker polls again', async () => {
  const interruption = new AbortController()
  const variables = { ...environment(), LOCKERFLOW_TASK_QUEUE: `nobody-${randomUUID()}` }
  const sweeping = runCommandLine(variables, ['sweep', '--cancel'], interruption)
  const sweep = world.client.workflow.getHandle('sweep')
  const queueOf = async () => (await describeRun(world.client, 'sweep'))?.taskQueue
  await eventually(async () => (await queueOf()) === variables.LOCKERFLOW_TASK_QUEUE)
  interruption.abort(new Error('interrupted by SIGINT'))
  expect((await sweeping).stderr).toContain('interrupted by SIGINT')
  expect((await sweep.describe()).raw.workflowExtendedInfo?.cancelRequested).toBe(true)
  await sweep.terminate()
})

test('has the code and the request id of the service that refuses', async () => {
  const headers = () => ({ 'x-request-id': 'request-7' })
  const change = () => ({ success: false, error: 'InvalidRequest', message: 'No.' })
  world.toService.rule = ({ path }) => (path.endsWith('/GetShipments') ? { kind: 'rewrite', change, headers } : pass)
  const { code, complained } = await command()
  world.toService.rule = () => pass
  expect(code).toBe(1)
  expect(complained).toMatch(/^sweep: .+\n {2}.+\n {2}\(InvalidRequest, request id request-7\)\n$/)
})

describe('the command line', () => {
  test.each([
    [[], { input: { act: 'list', olderThan: 900_000 }, interval: undefined }],
    [
      ['--adopt', '--flow', 'issue', '--case', 'I-1', '--json'],
      { input: { act: 'adopt', olderThan: 900_000, flow: 'issue', caseNo: 'I-1' }, interval: undefined },
    ],
    [
      ['--cancel', '--older-than', '2h', '--schedule', 'every 1h'],
      { input: { act: 'cancel', olderThan: 7_200_000 }, interval: 3_600_000 },
    ],
    [['--schedule', 'off'], { input: { act: 'list', olderThan: 900_000 }, interval: 'off' }],
  ])('%j is read', async (args, read) => {
    expect(readSweep(await readCommand('sweep', ...args))).toEqual(read)
  })

  test.each([
    [['--cancle'], '--cancle: must be an option of this verb. (Did you mean --cancel?)'],
    [['--older-than', 'soon'], '--older-than: must be a duration such as 30m, 1h or 90d, at most 3650d, got "soon".'],
    [['--schedule', '0h'], '--schedule: must be off, or a duration such as 1h, at most 3650d, got "0h".'],
    [['--adopt', '--flow', 'loan'], '--flow: must be one of '],
    [['--cancel', '--flow', 'issue'], '--flow: must be combined with --adopt.'],
  ])('%j is refused', async (args, message) => {
    const reading = readCommand('sweep', ...args).then(given => readSweep(given))
    await expect(reading).rejects.toMatchObject({ message: expect.stringContaining(message), exitCode: 2 })
  })
})
