import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operation, type OperationName, operations } from '#contract'
import { recordReads } from '../support/service/recordedReads.ts'
import { openSite, type Site } from '../support/service/site.ts'
import { large, topology } from '../support/service/topology.ts'
import { csv, upload } from '../support/service/uploads.ts'
import { placesIn } from '../support/service/validRequest.ts'

const names = Object.keys(operations) as OperationName[]
const recording = recordReads()
let site: Site

const point = { timeZone: 'Europe/Amsterdam', tenants: ['acme'] }
/** Nothing fits into its lockers: only then is AllowOverflowLockers read. */
const tiny = {
  ...{ ...point, pupUid: 'tiny', name: 'Tiny', overflowPupUid: 'beside' },
  lockers: [{ names: '1', width: 1, height: 1, length: 1 }],
}
const beside = { ...point, pupUid: 'beside', name: 'Beside', lockers: [{ names: '1-40', ...large }] }
const details = { ReferenceNo: 'no', ReferenceCaseNo: 'case', Description: 'text' }
const place = {
  PupUid: 'tiny',
  AllowLargerLockers: true,
  AllowOverflowLockers: true,
  Dimension: { width: 1, height: 2, length: 3 },
}
const booking = { ...place, Details: details }
const page = { pageNo: 1, pageSize: 10 }
const listing = {
  ...page,
  shipmentState: ['WaitForReceiver'],
  updatedSince: '2026-01-01T00:00:00Z',
  sortBy: 'CreatedDesc',
}
const person = { firstName: 'Cy', lastName: 'User', emailAddress: 'cy@home.example', pickUpPointUid: 'square' }

/** Sends requests of each operation, so that its handler takes every way on which it reads a field. */
async function sendAll(): Promise<void> {
  const { world, users } = site
  const { ada, ben } = users
  const send = async (name: OperationName, ...bodies: readonly object[]) => {
    const sent = []
    for (const body of bodies) sent.push(await world.service.call(name, body))
    const failed = sent.find(({ body }) => !body.success)
    if (failed !== undefined) throw new Error(`${name}: ${failed.text}`)
    return sent.map(({ body }) => String(body.shipmentUid ?? [body.shipmentUids].flat()[0] ?? body.userUid))
  }
  const open = async (shipmentUid: string, code: 'deliveryCode' | 'pickUpCode') => {
    const { pupUid, lockerName, [code]: pinCode } = await site.read(shipmentUid)
    await send('SimulateLockerAccess', { pupUid, lockerName, pinCode })
  }
  const inStock = async () => {
    const [uid = ''] = await send('CreateLocalShipmentAsStock', booking)
    await open(uid, 'deliveryCode')
    return uid
  }
  const issue = async () => ({ PriorShipmentUid: await inStock(), ToUserUid: ada, Issue: { ReferenceCaseNo: 'c' } })
  const user = { ToUserUid: ada, FromUserUid: ada }

  await send('CreateLocalShipmentAsIssue', { ...booking, ...user })
  await send('CreateLocalShipmentAsIssueAndSwapIntake', { ...booking, ...user, Return: details })
  await send('CreateLocalShipmentAsIntakeAndCircularStock', { ...booking, ...user })
  const [intake = ''] = await send('CreateLocalShipmentAsIntake', { ...booking, ...user })
  await open(intake, 'deliveryCode')
  const swap = { PriorShipmentUid: intake, Dimension: place.Dimension, Details: details }
  await send('CreateLocalShipmentAsStockAfterSwapIntake', swap)
  const name = 'CreateLocalShipmentAsIssueFromStock'
  await send(name, await issue())
  await send(`${name}AndSwapIntake`, { ...(await issue()), Return: details })
  const loan = { ...(await issue()), Return: details, Details: details }
  await send(`${name}AndSubsequentIntakeAndCircularStock`, loan)
  const [local = ''] = await send('CreateLocalShipment', { ...place, ...details, ToUserUid: ada })
  await send('CreateLocalShipment', {
    ...place,
    PupUid: 'beside',
    ...details,
    SwapsShipmentUid: local,
    FromUserUid: ada,
  })
  const collect = { ...booking, ToUserUid: ada, KeepBookedAfterPickUp: false }
  await send('CreateCollectOnlyShipment', collect)
  await send('CreateCollectOnlyShipmentAsCollectByUser', collect)
  await send('CreateCollectOnlyShipmentAsCollectByDispatcher', collect)

  const shipmentUid = await inStock()
  const { body } = await world.service.call('AddShipmentObject', {
    shipmentUid,
    details: { referenceNo: 'n', description: 'd', weight: 1, count: 1, dimension: place.Dimension },
    changePickUpAccess: true,
  })
  await send('RemoveShipmentObject', { shipmentUid, shipmentObjectUid: body.shipmentObjectUid })
  await send('SetShipmentDetails', { shipmentUid, ...details })
  await send('SetShipmentReceiver', { shipmentUid, toUserUid: ada, caseReferenceNew: 'c' })
  await send('GetShipmentAccessCode', { shipmentUid })
  const { pickUpCode: pinCode } = await site.read(shipmentUid)
  await send('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'PickUp', pinCode })
  const [waiting = ''] = await send('CreateLocalShipmentAsIssue', { ...booking, ...user })
  await send('SetShipmentReceiver', { shipmentUid: waiting, removeReceiver: true })
  await send('CancelShipment', { shipmentUid: waiting })
  for (const list of ['GetShipments', 'GetLocalShipments', 'GetCollectOnlyShipments'] as const)
    await send(list, { ...page, shipmentUid }, listing, { ...listing, activeShipments: true, userUid: ada })

  await send('CreateAccount', { ...person, mutationConfig: { canChangeAddress: true } })
  const other = { ...person, emailAddress: 'di@home.example', mutationConfig: { canChangeAddress: true } }
  await send('CreateOrGetAccount', other, other)
  await send('SetAccountDetails', { userUid: ben, emailAddress: 'b@home.example', phoneNumber: '+31600000000' })
  await send('SetAccountPickUpPoint', { userUid: ben, pickUpPointUid: 'shared' })
  await send('SetAccountMutationConfig', { userUid: ben, canChangeAddress: true })
  await send('GetAccount', { userUid: ben }, { userName: 'none' }, { emailAddress: 'none@home.example' })
  await send('GetAccountMutationConfig', { userUid: ben })
  await send('RemoveAccount', { userUid: ben })
  const data = JSON.stringify({ reference: 'r' })
  await upload(world.service, 'a.csv', csv([{ EmailAddress: 'a@home.example' }]), { data })
  await send('GetAccountSuggestions', { ...page, searchText: 'a' })
  await send('GetPickUpPoints', { ...page, pupUid: 'square', searchText: 'a', includeDetails: true })
  await send('ConfigureCallback', { url: site.receiver.url, authType: 'ApiKey', resetKey: true })
  await send('SetSandboxFaults', { hardwareFails: false })
}

beforeAll(async () => {
  site = await openSite({ topology: { ...topology, pickUpPoints: [...topology.pickUpPoints, tiny, beside] } })
  await sendAll()
})

afterAll(async () => {
  recording.stop()
  await site.stop()
})

test.each(names)('every field of a request of %s is read by its handler', name => {
  expect(unread(operations[name], name)).toEqual([])
})

test('a field that no handler reads is found, whatever its name', () => {
  const { request } = operations.CancelShipment
  // A field of other operations, and names that any program has.
  for (const field of ['userUid', 'name', 'code', 'length', 'toString']) {
    const wider = request.extend({ [field]: request.shape.shipmentUid })
    expect(unread({ request: wider }, 'CancelShipment')).toEqual([field])
  }
  const { request: objects } = operations.AddShipmentObject
  const nested = objects.extend({ details: objects.shape.details.extend({ name: request.shape.shipmentUid }) })
  expect(unread({ request: nested }, 'AddShipmentObject')).toEqual(['details.name'])
})

function unread(operation: Pick<Operation, 'request'>, name: OperationName): string[] {
  const read = recording.reads.get(name) ?? new Set()
  const places = new Set(placesIn(operation).map(place => place.join('.')))
  return [...places].filter(place => !read.has(place))
}
