import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { pass } from '../../../testing/stack/wire.ts'
import { branches, fitted, items, rounds, someItems } from '../../support/blocks/lockerFlows.ts'
import { partsOf, useBlocks } from '../../support/blocks/useBlocks.ts'
import { eventually, gate } from '../../support/eventually.ts'
import { hour, movableClock, moveFlowClock } from '../../support/flows/clock.ts'
import { growOld } from '../../support/flows/longHistories.ts'
import { codeOf } from '../../support/flows/useWorkshop.ts'
import { seeded } from '../../support/seed.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld(movableClock)
const { start, untilAt, shipmentOf, useLocker, resultOf, give } = useBlocks(world)

const isCreate = (path: string) => path.includes('/CreateLocal')
const completed = { outcome: 'completed', leftOver: [] }

describe('callbacks of a branch', () => {
  test('arrive while another branch books, before the response of its own booking, and after it', async () => {
    const late = gate()
    let creates = 0
    // Both branches book at once; the second response is late, and its shipment is used before it.
    world.toService.rule = ({ path }) =>
      isCreate(path) && creates++ > 0 ? { kind: 'answerLater', until: late.opened } : pass
    const caseNo = await start(branches, 2)
    const { shipments } = await world.statusWhen(caseNo, status => status.shipments.length === 1)
    const [own] = shipments
    if (own === undefined) throw new Error('nothing is booked')
    const other = own.role === 'left' ? 'right' : 'left'
    const unheard = await eventually(async () =>
      (await world.shipmentsOf(caseNo)).find(({ shipmentUid }) => shipmentUid !== own.shipmentUid),
    )
    await world.open(own, 'deliveryCode')
    await untilAt(caseNo, `${own.role}Taken`)
    await world.open({ ...unheard, role: other }, 'deliveryCode')
    await eventually(() =>
      world.toGateway.passings.some(
        ({ body }) => body.includes(unheard.shipmentUid) && body.includes('ReadyForPickup'),
      ),
    )
    const { lines } = await world.statusWhen(caseNo, () => true)
    expect(lines?.map(({ step }) => step).sort()).toEqual([`${own.role}Taken`, `${other}Booking`].sort())
    late.open()
    await untilAt(caseNo, `${other}Taken`)
    await world.open(own, 'pickUpCode')
    await world.statusWhen(caseNo, status => status.lines?.length === 1)
    await world.open({ ...unheard, role: other }, 'pickUpCode')
    expect(await resultOf(caseNo)).toMatchObject(completed)
  })
})

describe('twenty items at once', () => {
  const parts = partsOf(20)

  test('are booked once each, and opened in any order', async () => {
    const { seed } = seeded(1)
    console.log(`order of the openings: seed ${seed}`)
    const caseNo = await start(items, 20, parts)
    // Each item twice: placed, then collected.
    const both = [...parts, ...parts].map(({ sku }) => sku)
    const [order = []] = fc.sample(fc.shuffledSubarray(both, { minLength: both.length }), { seed, numRuns: 1 })
    const { shipments } = await world.statusWhen(caseNo, status => status.shipments.length === 20)
    const placed = new Set<string>()
    for (const sku of order) {
      const shipment = shipments.find(({ role }) => role === `part[${sku}]`)
      if (shipment === undefined) throw new Error(`${sku} is not booked`)
      await world.open(shipment, placed.has(sku) ? 'pickUpCode' : 'deliveryCode')
      placed.add(sku)
    }
    const uidOf = (sku: string) => shipments.find(({ role }) => role === `part[${sku}]`)?.shipmentUid
    expect(await resultOf(caseNo)).toMatchObject({
      ...completed,
      completed: 20,
      parts: parts.map(({ sku }) => ({ key: sku, uid: uidOf(sku) })),
    })
  })

  test('are cancelled in the middle: no locker stays booked', async () => {
    const late = gate()
    const widthOf = (body: string) => Number(/"width":(\d+)/.exec(body)?.[1])
    world.toService.rule = ({ path, body }) => {
      if (!isCreate(path) || widthOf(body) <= 8) return pass
      // Eight are booked. The service books six whose responses are late, and never hears of six others.
      return widthOf(body) <= 14 ? { kind: 'answerLater', until: late.opened } : { kind: 'cut' }
    }
    const caseNo = await start(items, 20, parts)
    for (const sku of ['A-1', 'A-2']) await useLocker(caseNo, `part[${sku}]`)
    await eventually(async () => (await world.shipmentsOf(caseNo)).length === 14)
    await world.statusWhen(caseNo, ({ shipments, lines = [] }) => shipments.length === 8 && lines.length === 18)
    const cancelled = world.flows.cancel(caseNo, 'over')
    late.open()
    // The clean-up repeats a booking whose outcome it does not know, with the same key, and cancels it.
    world.toService.rule = () => pass
    expect(await cancelled).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })
    const states = (await world.shipmentsOf(caseNo)).map(({ stateCode }) => stateCode)
    expect(states.toSorted()).toEqual([...Array(18).fill('Cancelled'), 'Completed', 'Completed'])
  })
})

test('a refused item whose first attempt was lost does not touch the bookings beside it', async () => {
  const late = gate()
  let lost = 0
  world.toService.rule = ({ path, body }) => {
    if (!isCreate(path)) return pass
    if (body.includes('"width":900')) return lost++ === 0 ? { kind: 'cut' } : pass
    return { kind: 'answerLater', until: late.opened }
  }
  const caseNo = await start(someItems, 1, [...partsOf(1), { sku: 'huge', width: 900 }])
  await world.statusWhen(caseNo, ({ lines }) => lines?.length === 1)
  late.open()
  await useLocker(caseNo, 'part[A-1]')
  expect(await resultOf(caseNo)).toMatchObject({ ...completed, failed: 1, parts: [{ key: 'A-1' }] })
})

test('decisions and answers reach the item that they name', async () => {
  const caseNo = await start(fitted, 2, partsOf(2))
  await world.statusWhen(caseNo, ({ shipments }) => shipments.length === 2)
  await moveFlowClock(world, caseNo, 49 * hour)
  const overdue = async () => {
    const { lines = [] } = await world.statusWhen(caseNo, () => true)
    return lines.filter(line => line.overdue).map(({ step }) => step)
  }
  await eventually(async () => (await overdue()).length === 2)
  const extend = { decision: 'extend', by: '1h' } as const
  expect(await world.flows.decide(caseNo, extend)).toMatchObject({ kind: 'Refused', code: 'SeveralOverdue' })
  expect(await world.flows.decide(caseNo, { ...extend, step: 'partPut', item: 'A-1' })).toMatchObject({
    kind: 'Decided',
  })
  expect(await overdue()).toEqual(['partPut[A-2]'])
  for (const sku of ['A-1', 'A-2']) await world.open(await shipmentOf(caseNo, `part[${sku}]`), 'deliveryCode')
  await untilAt(caseNo, 'fit[A-1]')
  await untilAt(caseNo, 'fit[A-2]')
  expect(await codeOf(give(caseNo, { step: 'fit', answer: 'yes' }))).toBe('InvalidFlowInput')
  expect(await give(caseNo, { step: 'fit', item: 'A-2', answer: 'no' })).toMatchObject({ step: 'fit[A-2]' })
  await untilAt(caseNo, 'partTaken[A-2]')
  await untilAt(caseNo, 'fit[A-1]')
  expect(await codeOf(give(caseNo, { step: 'fit', item: 'A-2', answer: 'yes' }))).toBe('AlreadyAnswered')
  await give(caseNo, { step: 'fit', item: 'A-1', answer: 'yes' })
  for (const sku of ['A-1', 'A-2']) await world.open(await shipmentOf(caseNo, `part[${sku}]`), 'pickUpCode')
  expect(await resultOf(caseNo)).toMatchObject({
    ...completed,
    parts: [
      { key: 'A-1', fits: 'yes' },
      { key: 'A-2', fits: 'no' },
    ],
  })
})

test('a flow continues as new in the middle of items and rounds, and goes on there', async () => {
  const [many, twice] = [await start(items, 3, partsOf(3)), await start(rounds, 2)]
  await useLocker(many, 'part[A-2]')
  await world.open(await shipmentOf(many, 'part[A-3]'), 'deliveryCode')
  await useLocker(twice, 'lent')
  await untilAt(twice, 'lentPut#2')
  await untilAt(many, 'partTaken[A-3]')
  const isQuiet = ({ shipments, lines }: { shipments: unknown[]; lines?: unknown[] }) =>
    shipments.length === 3 && lines?.length === 2
  const before = [await world.statusWhen(many, isQuiet), await world.statusWhen(twice, () => true)]
  for (const caseNo of [many, twice]) await growOld(world, caseNo)
  expect([await world.statusWhen(many, isQuiet), await world.statusWhen(twice, () => true)]).toEqual(before)
  await useLocker(many, 'part[A-1]')
  await world.open(await shipmentOf(many, 'part[A-3]'), 'pickUpCode')
  await useLocker(twice, 'lent')
  expect(await resultOf(many)).toMatchObject({ ...completed, completed: 3 })
  expect(await resultOf(twice)).toMatchObject({ ...completed, rounds: 2 })
  for (const caseNo of [many, twice]) {
    const runs = await world.client.workflow.getHandle(toWorkflowId(caseNo)).describe()
    expect(runs.raw.workflowExecutionInfo?.firstRunId).not.toBe(runs.runId)
  }
})
