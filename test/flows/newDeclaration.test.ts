import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FlowDeclaration, type FlowName, flows, toWorkflowId } from '#flows'
import { bundleFlows } from '#worker'
import { type CopiedFolders, copyFolders } from '../replay/copiedWorkflows.ts'
import type { AnyFlowClient } from '../support/world/anyFlow.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

const summary = 'A user brings an item, which another user collects.'

/** The one file that a new flow is. */
const declaration = `import type { FlowDeclaration } from '../declaration.ts'

export const returnToSender = {
  name: 'returnToSender',
  summary: '${summary}',
  steps: [
    { name: 'booking', summary: 'A locker is booked.', book: 'CreateLocalShipment', window: '5m' },
    {
      name: 'brought',
      summary: 'The user places the item in the locker.',
      wait: { shipment: 'ReadyForPickup' },
      window: '2d',
      onTimeout: 'cancel',
    },
    {
      name: 'taken',
      summary: 'The other user collects the item.',
      wait: { shipment: 'Completed' },
      window: '2d',
      onTimeout: 'remind',
    },
  ],
  outputs: { parcelUid: 'shipment.shipmentUid' },
} as const satisfies FlowDeclaration
`

/** The one line in the door. */
const line = "export { returnToSender } from './returnToSender.ts'\n"

/** The workflows of the project, and the client that starts them, with one more flow in a copy of both. */
function added(): CopiedFolders {
  const copy = copyFolders(['workflows', 'flows', 'client'])
  const door = join(copy.folder, 'flows/booking')
  writeFileSync(join(door, 'returnToSender.ts'), declaration)
  appendFileSync(join(door, 'index.ts'), line)
  return copy
}

const load = ({ folder }: CopiedFolders, path: string) => import(pathToFileURL(join(folder, path)).href)

const madeUp = 'returnToSender' as FlowName

describe('a flow that is one declaration file and one line in the catalogue', () => {
  let copy: CopiedFolders
  let declared: Record<string, FlowDeclaration>
  let client: AnyFlowClient

  beforeAll(async () => {
    copy = added()
    declared = (await load(copy, 'flows/index.ts')).flows
    const { createFlowClient } = await load(copy, 'client/index.ts')
    client = createFlowClient(world.client, { taskQueue: world.taskQueue })
    await world.restartWorker({ catalogue: declared, bundle: await bundleFlows(copy.entry) })
  })

  afterAll(() => copy.remove())

  test('is registered beside the others', () => {
    expect(Object.keys(declared).sort()).toEqual([...Object.keys(flows), 'returnToSender'].sort())
  })

  test('completes, and returns its declared outputs', async () => {
    const caseNo = world.newCase()
    const request = { ...parcel, FromUserUid: world.userUid, ToUserUid: world.userUid }
    const booking = await client.startAndWaitForBooking(madeUp, { caseNo, request })
    if (booking.kind !== 'Booked' || !booking.shipments[0]) throw new Error(JSON.stringify(booking))
    const [shipment] = booking.shipments
    expect(shipment).toMatchObject({ role: 'shipment', stateCode: 'ReadyForDropOff' })
    await world.statusWhen(caseNo, ({ stage }) => stage === 'brought')
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'taken')
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { flow: 'returnToSender', outcome: 'completed', parcelUid: shipment.shipmentUid, leftOver: [] },
    })
  })

  test('has its windows and timeout policies', async () => {
    const caseNo = world.newCase()
    const request = { ...parcel, ToUserUid: world.userUid }
    await client.startAndWaitForBooking(madeUp, { caseNo, request, windows: { brought: '300ms' } })
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'expired', shipments: [{ stateCode: 'Cancelled' }], parcelUid: null },
    })
  })

  test('has its summary and its stages in current details and in the list of flows', async () => {
    const caseNo = world.newCase()
    const request = { ...parcel, ToUserUid: world.userUid }
    await client.startAndWaitForBooking(madeUp, { caseNo, request })
    const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')
    expect(currentDetails.split('\n').slice(0, 2)).toEqual([`### Case ${caseNo}`, summary])
    expect(currentDetails).toContain('Step brought, 2 of 3: The user places the item in the locker')
    const described = await handle.describe()
    expect(await described.staticSummary()).toBe(summary)
    expect(await described.staticDetails()).toContain('**taken**: The other user collects the item.')
    await world.flows.cancel(caseNo, 'over')
  })
})

test('a worker does not start with an invalid declaration', async () => {
  const [booking, ...waits] = flows.issue.steps
  const flow = { ...flows.issue, steps: [{ ...booking, book: 'Nothing' }, ...waits] } as unknown as FlowDeclaration
  await expect(world.restartWorker({ catalogue: { issue: flow } })).rejects.toThrow(
    'issue.booking.book: must be an operation that books, got "Nothing"',
  )
  await world.restartWorker()
})
