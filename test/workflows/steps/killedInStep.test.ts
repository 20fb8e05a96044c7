import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type FlowShipment, toWorkflowId } from '#flows'
import { pass } from '../../../testing/stack/wire.ts'
import { eventually, gate } from '../../support/eventually.ts'
import { useWorkshop } from '../../support/flows/useWorkshop.ts'
import { useWorld } from '../../support/world/useWorld.ts'
import { startProcess } from '../../support/world/workerProcess.ts'

const world = useWorld()
const { restart, printed, voided, startFlow, bringIn, handleOf, give, resultOf, putBack } = useWorkshop(world)

const module = fileURLToPath(new URL('../../support/flows/hangingWorkshop.ts', import.meta.url))
const agreed = { step: 'offer', answer: 'agree', fields: { cents: 4_900 } }
const declined = { step: 'offer', answer: 'decline' }

/** Waits until an attempt of the activity has begun. */
function isRunning(caseNo: string, activity: string): Promise<unknown> {
  return eventually(async () => {
    const { raw } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).describe()
    return (raw.pendingActivities ?? []).some(
      ({ activityType, state }) => activityType?.name === activity && state === 2,
    )
  })
}

// One worker dies with all of these under way: Temporal takes up to ten seconds to miss it.
test('a worker that is killed in any kind of step, or in the undo, loses nothing and does nothing twice', async () => {
  await world.stopWorker()
  const request = { pickUpPointUid: 'pup-1', customerUid: world.userUid }
  const options = (booked: number, windows = {}) => ({ booked, request, windows })
  const startOne = (booked: number, windows = {}) => startFlow('workshop', options(booked, windows))
  // Started before there is a worker, so that its settings can name the cases.
  const running = await startOne(2)
  const repairing = await startOne(2)
  const undoing = await startOne(1)
  const booking = await startOne(2)
  const waiting = await startOne(2)
  const asking = await startOne(2)
  const hangs = { printLabel: running, repair: repairing, voidLabel: undoing }
  const worker = await startProcess(world, {
    LOCKERFLOW_FLOWS: module,
    LOCKERFLOW_ACTIVITIES: module,
    WORKSHOP_HANGS: JSON.stringify(hangs),
  })
  const dead = gate()
  const reached = { booking: gate(), calling: gate() }
  const devices = new Map<string, FlowShipment>()
  for (const caseNo of [repairing, undoing, booking, asking]) devices.set(caseNo, await bringIn(caseNo))
  await give(repairing, agreed)
  world.toService.rule = ({ path, body }) => {
    if (!path.includes('/CreateLocal') || !body.includes(booking)) return pass
    // The second booking of the case takes effect, and its response comes too late.
    reached.booking.open()
    return { kind: 'answerLater', until: dead.opened }
  }
  await give(booking, declined)
  await handleOf(undoing).cancel()
  await isRunning(running, 'printLabel')
  await isRunning(repairing, 'repair')
  await isRunning(undoing, 'voidLabel')
  await reached.booking.opened
  await world.statusWhen(waiting, ({ step }) => step === 'bringIn')
  const sleeping = await startOne(2, { pause: '20s' })
  await bringIn(sleeping)
  await give(sleeping, declined)
  await world.statusWhen(sleeping, ({ step }) => step === 'pause')
  const calling = await startOne(2)
  await bringIn(calling)
  world.toService.rule = ({ path }) => {
    if (!path.endsWith('/SetAccountPickUpPoint')) return pass
    reached.calling.open()
    return { kind: 'answerLater', until: dead.opened }
  }
  await give(calling, declined)
  await reached.calling.opened
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  world.toService.rule = () => pass
  dead.open()
  await restart()

  await bringIn(running)
  await bringIn(waiting)
  for (const caseNo of [running, waiting, asking]) await give(caseNo, agreed)
  for (const caseNo of [running, repairing, booking, waiting, asking, sleeping, calling]) {
    expect(await putBack(caseNo)).toMatchObject({ outcome: 'completed', leftOver: [] })
  }
  expect(await resultOf(undoing)).toMatchObject({
    outcome: 'cancelled',
    leftOver: [{ step: 'intakeBooking', shipmentUid: devices.get(undoing)?.shipmentUid }],
  })
  // The new worker repeats only what was under way.
  expect(printed.map(key => key.split(':')[0])).toEqual([running])
  expect(voided).toMatchObject([{ certain: true, output: { labelNo: 'L-1' } }])
})
