import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { shipmentStatus } from '#flows/messages'
import { type Handling, pass } from '../../../../testing/stack/wire.ts'
import { eventually, gate } from '../../../support/eventually.ts'
import { book } from '../../../support/flows/booking.ts'
import { movableClock, moveFlowClock } from '../../../support/flows/clock.ts'
import { eventsOf } from '../../../support/flows/history.ts'
import { requireRole } from '../../../support/flows/underway.ts'
import { useWorkshop } from '../../../support/flows/useWorkshop.ts'
import { workshop } from '../../../support/flows/workshop.ts'
import type { World } from '../../../support/world/flowWorld.ts'
import { useOwnTemporal } from '../../../support/world/ownTemporal.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const profile = { ...fullProfile, standardWebhooks: false }

/** The uid signature covers neither state nor time, so an attacker who saw one callback can send these. */
function hint({ client }: World, caseNo: string, shipmentUid: string): Promise<void> {
  const forged = { shipmentUid, stateCode: 'Completed', stateStart: '2999-01-01T00:00:00.000' }
  return client.workflow.getHandle(toWorkflowId(caseNo)).signal(shipmentStatus, forged)
}

function looksOf({ toService }: World): number {
  return toService.passings.filter(({ path }) => path.endsWith('GetShipments')).length
}

/** The response of a replica that does not know yet that the item was dropped off. */
const asBefore: Handling = {
  kind: 'rewrite',
  change: answer => ({
    ...answer,
    items: (answer.items as object[]).map(item => ({ ...item, stateCode: 'ReadyForDropOff' })),
  }),
}

describe('a callback that is only a hint', () => {
  const world = useWorld({ profile })

  test('whose poll fails is followed by another poll soon', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    world.toService.rule = ({ path }) => (path.endsWith('GetShipments') ? { kind: 'cut' } : pass)
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ rejections }) =>
      rejections.some(({ what }) => what.includes('could not be read')),
    )
    // The next scheduled look is an hour away, the window two days.
    const seconds = await eventually(async () => {
      const started = (await eventsOf(world, caseNo)).flatMap(event => event.timerStartedEventAttributes ?? [])
      const last = Number(started.at(-1)?.startToFireTimeout?.seconds)
      return started.length > 1 ? last : undefined
    })
    expect(seconds).toBeLessThanOrEqual(60)
    world.toService.rule = () => pass
    await hint(world, caseNo, shipment.shipmentUid)
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('whose state the service shows seconds later is followed by another poll soon', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    let stale = 0
    world.toService.rule = ({ path }) => (path.endsWith('GetShipments') && stale++ === 0 ? asBefore : pass)
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    expect(stale).toBe(2)
  })

  test('is confirmed by a service that takes seconds to read', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    world.toService.rule = ({ path }) =>
      path.endsWith('GetShipments') ? { kind: 'answerLater', until: setTimeout(3_000) } : pass
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('causes one poll if many arrive together', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    const before = looksOf(world)
    await Promise.all(Array.from({ length: 50 }, () => hint(world, caseNo, shipment.shipmentUid)))
    await eventually(() => looksOf(world) > before)
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ stage: 'dropOff', state: 'waiting' })
    expect(looksOf(world) - before).toBeLessThan(50)
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })
})

describe('a callback after a forged one', () => {
  const world = useWorld({ profile, ...movableClock })

  test('has further polls of its own', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    const before = looksOf(world)
    await hint(world, caseNo, shipment.shipmentUid)
    await eventually(() => looksOf(world) > before)
    // The last poll for the forged one is minutes away.
    await moveFlowClock(world, caseNo, 100_000)
    expect(looksOf(world)).toBe(before + 4)
    let stale = 0
    world.toService.rule = ({ path }) => (path.endsWith('GetShipments') && stale++ === 0 ? asBefore : pass)
    await world.open(shipment, 'deliveryCode')
    await eventually(() => stale > 0)
    await moveFlowClock(world, caseNo, 200_000)
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })
})

describe('forged hints', () => {
  const world = useWorld({ profile, pollInterval: { initial: 1_500, maximum: 3_600_000 } })

  test('do not postpone regular polls', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    // Each would double the interval if it counted: the next look would be minutes away.
    for (let sent = 0; sent < 8; sent++) {
      const before = looksOf(world)
      await hint(world, caseNo, shipment.shipmentUid)
      await eventually(() => looksOf(world) > before)
    }
    world.toGateway.rule = () => ({ kind: 'status', status: 204 })
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })
})

describe('hints during a run step whose history is long', () => {
  const world = useWorld({ profile }, useOwnTemporal(['limit.historyCount.suggestContinueAsNew=4']))
  const { state, start, bringIn, handleOf, give, putBack } = useWorkshop(world)

  /** Sends a hint, and waits until the run has taken it. */
  async function send(caseNo: string, shipmentUid: string): Promise<void> {
    await hint(world, caseNo, shipmentUid)
    await eventually(async () => {
      const { raw } = await handleOf(caseNo).describe()
      const isBusy =
        raw.pendingWorkflowTask || raw.pendingActivities?.some(each => each.activityType?.name !== 'repair')
      return !isBusy
    })
  }

  test('cause one poll an hour, and the next step polls at once', async () => {
    const [begun, ended] = [gate(), gate()]
    state.repair = async () => {
      begun.open()
      await ended.opened
      return { report: 'repaired' }
    }
    const caseNo = await start(2)
    const { shipmentUid } = await bringIn(caseNo)
    await give(caseNo, { step: 'offer', answer: 'agree', fields: { cents: 4_900 } })
    await begun.opened
    const atFirst = looksOf(world)
    await send(caseNo, shipmentUid)
    await eventually(() => looksOf(world) > atFirst)
    const before = looksOf(world)
    for (let sent = 0; sent < 5; sent++) await send(caseNo, shipmentUid)
    expect(looksOf(world)).toBe(before)
    ended.open()
    await eventually(() => looksOf(world) > before)
    const { shipments } = await world.statusWhen(caseNo, ({ step }) => step === 'putBack')
    const after = looksOf(world)
    await hint(world, caseNo, requireRole(shipments, 'back').shipmentUid)
    await eventually(() => looksOf(world) > after)
    expect(await putBack(caseNo)).toMatchObject({ outcome: 'completed' })
  })
})

describe('scheduled polls during a run step whose history is long', () => {
  const [, booking, bringIn, , { when: _when, ...repair }] = workshop.steps
  const { name, summary, input } = {
    ...workshop,
    name: 'repairFirst',
    summary: 'The locker of the device is booked early.',
  }
  const flow = { name, summary, input, steps: [booking, { ...repair, with: {} }, bringIn] } satisfies FlowDeclaration
  const pollInterval = { initial: 1, maximum: 1_000 }
  const world = useWorld({ pollInterval }, useOwnTemporal(['limit.historyCount.suggestContinueAsNew=4']))
  const { state, startFlow, resultOf } = useWorkshop(world, { flows: [flow] })

  test('come once an hour', async () => {
    const ended = gate()
    state.repair = async () => {
      await ended.opened
      return { report: 'repaired' }
    }
    const request = { pickUpPointUid: 'pup-1', customerUid: world.userUid }
    const caseNo = await startFlow(name, { booked: 1, request })
    await world.statusWhen(caseNo, ({ step }) => step === 'repair')
    const pause = await eventually(async () => {
      const started = (await eventsOf(world, caseNo)).flatMap(event => event.timerStartedEventAttributes ?? [])
      const seconds = Number(started.at(-1)?.startToFireTimeout?.seconds)
      return seconds > 1 ? seconds : undefined
    })
    expect(pause).toBeGreaterThan(3_500)
    ended.open()
    const { shipments } = await world.statusWhen(caseNo, ({ step }) => step === 'bringIn')
    await world.open(requireRole(shipments, 'device'), 'deliveryCode')
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'completed' })
  })
})
