import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pass } from '../../../testing/stack/wire.ts'
import { branches, cases, items, rounds, undone } from '../../support/blocks/lockerFlows.ts'
import { partsOf, useBlocks } from '../../support/blocks/useBlocks.ts'
import { eventually, gate } from '../../support/eventually.ts'
import { useWorld } from '../../support/world/useWorld.ts'
import { startProcess } from '../../support/world/workerProcess.ts'

const world = useWorld()
const { restart, start, untilAt, shipmentOf, useLocker, resultOf, give } = useBlocks(world)

const module = fileURLToPath(new URL('../../support/blocks/lockerFlows.ts', import.meta.url))

/** The bookings of a flow that goes on and of one that is cancelled, and the roles whose items are used after the kill. */
const kinds = [
  { kind: 'branch', flow: branches, booked: [2, 2], roles: ['left', 'right'] },
  { kind: 'item', flow: items, booked: [3, 3], parts: partsOf(3), roles: ['part[A-1]', 'part[A-2]', 'part[A-3]'] },
  { kind: 'round', flow: rounds, booked: [2, 2], roles: ['lent'] },
  { kind: 'case', flow: cases, booked: [1, 1], roles: ['granted'] },
  { kind: 'undo of a group', flow: undone, booked: [3, 2], roles: ['instead'] },
] as const

type Kind = (typeof kinds)[number]['kind']

// One worker dies with all of these under way: Temporal takes half a minute to miss it.
test('a worker that is killed in each kind of block books everything once, and what is cancelled is undone', async () => {
  await world.stopWorker()
  const dead = gate()
  let isLate = false
  /** Requests that take effect, and are answered after the worker is dead. */
  const late: string[] = []
  world.toService.rule = ({ path, body }) => {
    if (!isLate || !/CreateLocal|CancelShipment/.test(path)) return pass
    late.push(body)
    return { kind: 'answerLater', until: dead.opened }
  }
  const worker = await startProcess(world, { LOCKERFLOW_FLOWS: module })
  const startBoth = async (kind: Kind) => {
    const { flow, booked, ...given } = kinds.find(each => each.kind === kind) ?? kinds[0]
    const startOne = (count: number) => start(flow, count, 'parts' in given ? given.parts : undefined)
    return [await startOne(booked[0]), await startOne(booked[1])] as const
  }
  /** Two flows in each kind of scope: the first goes on after the kill, the second is cancelled. */
  const flows = {
    round: await startBoth('round'),
    case: await startBoth('case'),
    'undo of a group': await startBoth('undo of a group'),
  }
  for (const caseNo of flows.round) {
    await world.open(await shipmentOf(caseNo, 'lent'), 'deliveryCode')
    await untilAt(caseNo, 'lentTaken#1')
  }
  for (const caseNo of flows.case) await untilAt(caseNo, 'choice')
  const groups = await Promise.all(
    flows['undo of a group'].map(async caseNo => [
      await shipmentOf(caseNo, 'first'),
      await shipmentOf(caseNo, 'second'),
    ]),
  )

  isLate = true
  for (const caseNo of flows.round) await world.open(await shipmentOf(caseNo, 'lent'), 'pickUpCode')
  for (const caseNo of flows.case) await give(caseNo, { step: 'choice', answer: 'yes' })
  for (const [, second] of groups) await world.api.call('CancelShipment', { shipmentUid: second?.shipmentUid ?? '' })
  const all: Record<Kind, readonly [string, string]> = {
    ...flows,
    item: await startBoth('item'),
    branch: await startBoth('branch'),
  }
  for (const [first] of groups) await eventually(() => late.some(body => body.includes(first?.shipmentUid ?? '')))
  for (const { kind, booked } of kinds) {
    // The group that is undone had booked twice.
    for (const caseNo of all[kind]) await eventually(async () => (await world.shipmentsOf(caseNo)).length === booked[1])
  }
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  world.toService.rule = () => pass
  dead.open()
  const cancelled = Object.values(all).map(([, caseNo]) => world.flows.cancel(caseNo, 'over'))
  await restart()

  for (const { kind, roles } of kinds) {
    const [goesOn] = all[kind]
    for (const role of roles) await useLocker(goesOn, role)
    expect({ kind, ...(await resultOf(goesOn)) }).toMatchObject({ kind, outcome: 'completed', leftOver: [] })
  }
  expect(await Promise.all(cancelled)).toEqual(
    cancelled.map(() => ({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })),
  )
  for (const [, caseNo] of Object.values(all)) {
    const states = (await world.shipmentsOf(caseNo)).map(({ stateCode }) => stateCode)
    expect(states.filter(state => state !== 'Cancelled' && state !== 'Completed')).toEqual([])
  }
})
