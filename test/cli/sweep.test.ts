import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, inject, test } from 'vitest'
import type { SweepReport } from '#contract/terms'
import { readArguments } from '../../cli/sweep/arguments.ts'
import { scheduleId } from '../../cli/sweep/schedule.ts'
import { book } from '../flows/booking.ts'
import { eventually } from '../flows/eventually.ts'
import { terminate } from '../flows/orphans.ts'
import { useWorld } from '../flows/useWorld.ts'

const world = useWorld()

afterEach(() => command('--schedule', 'off'))

/** Runs the command as somebody at a terminal would. */
async function command(...args: string[]) {
  const { address, namespace } = inject('temporal')
  const child = spawn(process.execPath, ['cli/sweep.ts', ...args], {
    timeout: 20_000,
    env: {
      ...process.env,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      LOCKERFLOW_TASK_QUEUE: world.taskQueue,
    },
  })
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, said, complained }
}

async function orphan() {
  const { caseNo, shipment } = await book(world, 'stock')
  await terminate(world, caseNo)
  return { caseNo, ...shipment }
}

test('lists, cancels and says what is left to do', async () => {
  const { caseNo, shipmentUid, lockerName } = await orphan()
  const listed = await command('--case', caseNo, '--older-than', '1ms')
  expect(listed).toMatchObject({ code: 0, complained: '' })
  expect(listed.said).toContain(`${caseNo}  stock: its flow was closed as TERMINATED\n`)
  expect(listed.said).toContain(`  ${shipmentUid}  ReadyForDropOff  locker ${lockerName} at pup-1  since 2`)
  expect(listed.said).toContain('1 active shipment of 1 case without a running flow.')
  const young = await command('--case', caseNo, '--cancel')
  expect(young.said).toBe('0 active shipments of 0 cases without a running flow.\n1 case too young to be judged.\n')
  const cancelled = await command('--case', caseNo, '--older-than', '1ms', '--cancel', '--json')
  const report: SweepReport = JSON.parse(cancelled.said)
  expect(report.cases).toMatchObject([{ caseNo, shipments: [{ shipmentUid, stateCode: 'Cancelled' }] }])
})

test('has a case taken over', async () => {
  const { caseNo } = await orphan()
  const adopted = await command('--case', caseNo, '--older-than', '1ms', '--adopt')
  expect(adopted.said).toContain(`${caseNo}  stock: its flow was closed as TERMINATED; adopted\n`)
  expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ outcome: 'cancelled', leftOver: [] })
})

test('has Temporal sweep by itself, and no longer', async () => {
  const { caseNo } = await orphan()
  expect(await command('--schedule', '1d')).toMatchObject({ code: 0 })
  const handle = world.client.schedule.getHandle(scheduleId)
  expect((await handle.describe()).spec.intervals).toMatchObject([{ every: 86_400_000 }])
  const changed = await command('--schedule', 'every 1h', '--cancel', '--older-than', '1ms', '--case', caseNo)
  expect(changed).toMatchObject({ code: 0, complained: '' })
  expect((await handle.describe()).spec.intervals).toMatchObject([{ every: 3_600_000 }])
  await handle.trigger()
  await eventually(async () => (await world.shipmentsOf(caseNo)).every(({ stateCode }) => stateCode === 'Cancelled'))
  expect(await command('--schedule', 'off')).toMatchObject({ said: `schedule ${scheduleId} ended\n` })
  expect(await command('--schedule', 'off')).toMatchObject({ code: 0, said: `there was no ${scheduleId}\n` })
})

test('says what keeps it', async () => {
  expect(await command('--adopt', '--cancel')).toMatchObject({
    code: 1,
    said: '',
    complained: expect.stringMatching(/^sweep: --adopt and --cancel exclude each other\nnpm run sweep/),
  })
  const running = await world.client.workflow.start('sweep', { workflowId: 'sweep', taskQueue: 'nobody', args: [] })
  expect(await command()).toMatchObject({ code: 1, complained: expect.stringContaining('a sweep is under way') })
  await running.terminate()
})

describe('the command line', () => {
  test.each([
    [[], { order: { act: 'list', olderThan: 900_000 }, json: false, every: undefined }],
    [
      ['--adopt', '--flow', 'issue', '--case', 'I-1', '--json'],
      { order: { act: 'adopt', olderThan: 900_000, flow: 'issue', caseNo: 'I-1' }, json: true, every: undefined },
    ],
    [
      ['--cancel', '--older-than', '2h', '--schedule', 'every 1h'],
      { order: { act: 'cancel', olderThan: 7_200_000 }, json: false, every: 3_600_000 },
    ],
    [['--schedule', 'off'], { order: { act: 'list', olderThan: 900_000 }, json: false, every: 'off' }],
  ])('%j is read', (args, read) => {
    expect(readArguments(args)).toEqual(read)
  })

  test.each([
    [['--cancle'], "Unknown option '--cancle'"],
    [['--older-than', 'soon'], '--older-than: soon is not a duration'],
    [['--schedule', '0h'], '--schedule: 0h is not a duration'],
    [['--adopt', '--flow', 'loan'], '--flow: there are '],
    [['--cancel', '--flow', 'issue'], '--flow says which flow is to --adopt'],
  ])('%j is refused with the usage', (args, message) => {
    expect(() => readArguments(args)).toThrow(message)
    expect(() => readArguments(args)).toThrow('npm run sweep')
  })
})
