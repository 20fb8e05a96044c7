import { randomUUID } from 'node:crypto'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FlowDeclaration, type FlowName, flows } from '#workflows/flows'
import { flowsPage } from '../../cli/documentation/flows.ts'
import { root } from '../project/sources.ts'
import { useWorld } from './useWorld.ts'
import { parcel } from './world.ts'

const world = useWorld()

/** The one file that a new flow is. */
const declaration = `import type { FlowDeclaration } from './declaration.ts'

export const returnToSender = {
  name: 'returnToSender',
  summary: 'A user brings an item, which another user collects.',
  operation: 'CreateLocalShipment',
  roles: { parcel: { first: 'ReadyForDropOff' } },
  booking: '5m',
  stages: [
    {
      name: 'brought',
      summary: 'The user places the item in the locker.',
      reached: { parcel: 'ReadyForPickup' },
      window: '2d',
      answer: 'cancel',
      cancels: ['parcel'],
    },
    {
      name: 'taken',
      summary: 'The other user collects the item.',
      reached: { parcel: 'Completed' },
      window: '2d',
      answer: 'remind',
      cancels: [],
    },
  ],
  handsBack: { parcelUid: 'parcel' },
} as const satisfies FlowDeclaration
`

/** The one line in the door. */
const line = "export { returnToSender } from './returnToSender.ts'\n"

const folder = join(root, '.lockerflow', `made-up-${randomUUID()}`)

/** The flows of the project with one more, made in a copy of their folder. */
async function added(): Promise<Record<string, FlowDeclaration>> {
  cpSync(join(root, 'workflows/flows'), folder, { recursive: true })
  writeFileSync(join(folder, 'returnToSender.ts'), declaration)
  writeFileSync(join(folder, 'all.ts'), readFileSync(join(folder, 'all.ts'), 'utf8') + line)
  const door = await import(pathToFileURL(join(folder, 'index.ts')).href)
  return door.flows
}

const madeUp = 'returnToSender' as FlowName

describe('a flow that is a declaration file and a line in the door', () => {
  let declared: Record<string, FlowDeclaration>

  beforeAll(async () => {
    declared = await added()
    await world.restartWorker({ flows: declared })
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is there beside the others', () => {
    expect(Object.keys(declared).sort()).toEqual([...Object.keys(flows), 'returnToSender'].sort())
  })

  test('runs to its end, and hands back what it says', async () => {
    const caseNo = world.newCase()
    const request = { ...parcel, FromUserUid: world.userUid, ToUserUid: world.userUid }
    const booking = await world.flows.startAndWaitForBooking(madeUp, { caseNo, request })
    if (booking.kind !== 'Booked' || !booking.shipments[0]) throw new Error(JSON.stringify(booking))
    const [shipment] = booking.shipments
    expect(shipment).toMatchObject({ role: 'parcel', stateCode: 'ReadyForDropOff' })
    await world.statusWhen(caseNo, ({ stage }) => stage === 'brought')
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'taken')
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { flow: 'returnToSender', outcome: 'completed', parcelUid: shipment.shipmentUid, leftOver: [] },
    })
  })

  test('has its windows and its answers', async () => {
    const caseNo = world.newCase()
    const request = { ...parcel, ToUserUid: world.userUid }
    await world.flows.startAndWaitForBooking(madeUp, { caseNo, request, windows: { brought: '300ms' } })
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'expired', shipments: [{ stateCode: 'Cancelled' }], parcelUid: null },
    })
  })

  test('is in the documentation, with its picture', () => {
    const page = flowsPage(declared)
    expect(page).toContain('### returnToSender\n\nA user brings an item, which another user collects. Booked by')
    expect(page).toContain('  brought -->|parcel ReadyForPickup| taken\n  brought -.->|2d pass| expired')
  })
})

test('a worker is not started with a declaration that is wrong', async () => {
  const flow = { ...flows.issue, operation: 'Nothing' }
  await expect(world.restartWorker({ flows: { issue: flow } })).rejects.toThrow(
    'flow issue: operation: Nothing is not in the contract',
  )
  await world.restartWorker()
})
