import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import type { Handling } from '../../../../testing/stack/wire.ts'
import { pass } from '../../../../testing/stack/wire.ts'
import { eventually, gate } from '../../../support/eventually.ts'
import { book, requestOf } from '../../../support/flows/booking.ts'
import { useWorld } from '../../../support/world/useWorld.ts'
import { startProcess } from '../../../support/world/workerProcess.ts'

const world = useWorld()

/** The treatment of calls of an operation that name a case or a shipment. */
interface Fault {
  readonly operation: string
  readonly of: string
  readonly handling: (before: number) => Handling
}

function callsOf({ operation, of }: Omit<Fault, 'handling'>): number {
  return world.toService.passings.filter(({ path, body }) => path.includes(operation) && body.includes(of)).length
}

/** Runs a worker as a process of its own, and kills it once the flows are where they are wanted. */
async function killOnce(faults: readonly Fault[], bring: () => Promise<unknown>, profile?: string): Promise<void> {
  await world.stopWorker()
  // Before the worker begins, which may have a window to end by then.
  world.toService.rule = ({ path, body }) => {
    const fault = faults.find(({ operation, of }) => path.includes(operation) && body.includes(of))
    return fault?.handling(callsOf(fault)) ?? pass
  }
  const worker = await startProcess(world, profile === undefined ? {} : { LOCKERFLOW_SERVICE_PROFILE: profile })
  await bring()
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  world.toService.rule = () => pass
}

const options = { timeout: 60_000 }
const cleanedUp = { kind: 'Cancelled', outcome: 'cancelled', leftOver: [] }

// One worker dies with all of these under way: Temporal takes half a minute to miss it.
test('a worker that is killed during clean-up, poll and booking leaves nothing undone, and nothing done twice', async () => {
  const dead = gate()
  const late: Handling = { kind: 'answerLater', until: dead.opened }
  const cancelling = await book(world, 'issue')
  const reaching = await book(world, 'issue')
  const looking = await book(world, 'issue', { dropOff: '15s' })
  const booking = { caseNo: world.newCase(), request: requestOf(world, 'issue') }
  const user = { firstName: 'Kim', lastName: 'Keeper', pickUpPointUid: 'pup-1' }
  const unheard = [world.newCase(), world.newCase()] as const
  const onboarding = { caseNo: world.newCase(0), request: { ...user, emailAddress: `kim-${randomUUID()}@example.org` } }
  const faults: Fault[] = [
    // The service cancels, and its response arrives after the worker was killed.
    { operation: 'CancelShipment', of: cancelling.shipment.shipmentUid, handling: () => late },
    // The service never hears of it.
    { operation: 'CancelShipment', of: reaching.shipment.shipmentUid, handling: () => ({ kind: 'cut' }) },
    { operation: 'GetShipments', of: looking.shipment.shipmentUid, handling: () => late },
    // The first attempt is cut off; the next one books, and hears no answer.
    { operation: '/CreateLocal', of: booking.caseNo, handling: before => (before > 1 ? late : { kind: 'cut' }) },
    // The first attempts book, and the flows are cancelled before they hear of it.
    ...unheard.map(of => ({ operation: '/CreateLocal', of, handling: () => late })),
    { operation: 'CreateOrGetAccount', of: onboarding.request.emailAddress, handling: () => late },
  ]
  const cancelled: Promise<unknown>[] = []
  world.toGateway.rule = ({ body }) => (body.includes(looking.caseNo) ? { kind: 'status', status: 204 } : pass)
  await world.open(looking.shipment, 'deliveryCode')
  await killOnce(faults, async () => {
    await world.flows.start('issue', booking)
    await world.flows.start('onboardAccount', onboarding)
    cancelled.push(world.flows.cancel(cancelling.caseNo, 'over', options))
    cancelled.push(world.flows.cancel(reaching.caseNo, 'over', options))
    await eventually(async () => (await world.shipmentsOf(cancelling.caseNo))[0]?.stateCode === 'Cancelled')
    await eventually(() => callsOf({ operation: 'CancelShipment', of: reaching.shipment.shipmentUid }) > 0)
    await eventually(async () => (await world.shipmentsOf(booking.caseNo))[0])
    await eventually(() => callsOf({ operation: 'CreateOrGetAccount', of: onboarding.request.emailAddress }) > 0)
    // The local look at the deadline has had its two seconds; the ordinary one hangs.
    await eventually(() => callsOf({ operation: 'GetShipments', of: looking.shipment.shipmentUid }) > 2)
    // Last: a first attempt has two seconds.
    for (const caseNo of unheard) await world.flows.start('stock', { caseNo, request: requestOf(world, 'stock') })
    for (const caseNo of unheard) await eventually(async () => (await world.shipmentsOf(caseNo))[0])
  })
  dead.open()
  world.toGateway.rule = () => pass
  const [byUpdate, byButton] = unheard
  cancelled.push(world.flows.cancel(byUpdate, 'over', options))
  await world.flows.handle(byButton).cancel()
  await world.restartWorker()

  // Without heartbeats Temporal would miss the attempt only after six minutes.
  expect(await world.flows.result(onboarding.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  expect(await Promise.all(cancelled)).toEqual(cancelled.map(() => cleanedUp))
  for (const caseNo of unheard) {
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'cancelled', shipments: [{ stateCode: 'Cancelled' }], leftOver: [] },
    })
    expect(await world.flows.waitForBooking(caseNo)).toMatchObject({ kind: 'Refused', code: 'FlowEnded' })
  }
  expect(await world.flows.startAndWaitForBooking('issue', booking, options)).toMatchObject({ kind: 'Booked' })
  expect(await world.flows.cancel(booking.caseNo, 'over')).toEqual(cleanedUp)
  const heard = await eventually(async () => {
    const answer = await world.flows.status(looking.caseNo)
    return answer.kind === 'Status' && answer.status.stage === 'pickUp' ? answer.status : undefined
  })
  expect(heard).toMatchObject({ overdue: false, shipments: [{ stateCode: 'ReadyForPickup' }] })
  await world.open(looking.shipment, 'pickUpCode')
  expect(await world.flows.result(looking.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})

test('after a worker is killed in a booking at a service without keys, the next one reads first, and books nothing twice', async () => {
  const dead = gate()
  const booking = { caseNo: world.newCase(), request: requestOf(world, 'issue') }
  const handling = (): Handling => ({ kind: 'answerLater', until: dead.opened })
  const bring = async () => {
    await world.flows.start('issue', booking)
    await eventually(async () => (await world.shipmentsOf(booking.caseNo))[0])
  }
  await killOnce(
    [{ operation: '/CreateLocal', of: booking.caseNo, handling }],
    bring,
    'reads,reads-by-case,standard-webhooks',
  )
  dead.open()
  await world.restartWorker({ profile: { ...fullProfile, idempotent: false } })
  expect(await world.flows.startAndWaitForBooking('issue', booking, options)).toMatchObject({ kind: 'Booked' })
  expect(await world.flows.cancel(booking.caseNo, 'over')).toEqual(cleanedUp)
  expect(callsOf({ operation: '/CreateLocal', of: booking.caseNo })).toBe(1)
})
