import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CallOperationInput } from '#activities/interface'
import { fullProfile } from '#contract/terms'
import { pass } from '../../testing/stack/wire.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { inAttempt, orderOf, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()
const unkeyed = { ...fullProfile, idempotent: false }

function call(operation: string, request: Record<string, unknown>, more: Partial<CallOperationInput> = {}) {
  const idempotencyKey = `C-1:${randomUUID()}:step`
  return world.activities.callOperation({
    ...{ operation, request, caseNo: 'C-1', profile: fullProfile, idempotencyKey, ...more },
  })
}

/** The second attempt of a call. */
function repeat(...[operation, request, more]: Parameters<typeof call>) {
  return inAttempt(2, () => call(operation, request, more))
}

const callsOf = (operation: string) =>
  world.toService.passings.filter(({ path }) => path.endsWith(`/${operation}`)).length

function person() {
  return {
    emailAddress: `kim-${randomUUID()}@example.org`,
    firstName: 'Kim',
    lastName: 'Keeper',
    pickUpPointUid: 'pup-1',
  }
}

async function booked(): Promise<string> {
  const { shipmentUids } = await world.api.call('CreateLocalShipmentAsStock', parcel)
  return shipmentUids[0] ?? ''
}

test('a read returns the kept fields', async () => {
  const kept = await call('GetPickUpPoints', { pupUid: 'pup-1' }, { keep: ['totalItems'] })
  expect(kept).toEqual({ totalItems: 1 })
})

test('access codes and keys do not become outputs', async () => {
  expect(await call('GetShipmentAccessCode', { shipmentUid: await booked() })).toEqual({
    shipmentUid: expect.any(String),
  })
})

test('a refusal fails with its code, unless it is tolerated', async () => {
  const request = { userUid: 'nobody', pickUpPointUid: 'pup-1' }
  await expect(call('SetAccountPickUpPoint', request)).rejects.toMatchObject({
    type: 'InvalidUserUid',
    nonRetryable: true,
    // Business refusals stay out of the error log of the worker.
    category: 'BENIGN',
    details: [{ attempt: 1, outcomeUnknown: false, requestId: expect.any(String) }],
  })
  expect(await call('SetAccountPickUpPoint', request, { tolerated: ['InvalidUserUid'] })).toEqual({
    error: 'InvalidUserUid',
  })
})

test('a request that does not match the operation is refused before it is sent', async () => {
  const before = callsOf('SetAccountPickUpPoint')
  await expect(call('SetAccountPickUpPoint', { userUid: 'u', pickUpPointUid: 7 })).rejects.toMatchObject({
    type: 'InvalidFlowInput',
    message: expect.stringMatching(/^request: pickUpPointUid/),
  })
  expect(callsOf('SetAccountPickUpPoint')).toBe(before)
})

test('a shipment gets a receiver without leaving the case, by which its callbacks find the flow', async () => {
  const shipmentUid = await booked()
  const { userUid: toUserUid } = await call('CreateAccount', person(), { keep: ['userUid'] })
  const request = { shipmentUid, toUserUid }
  await expect(call('SetShipmentReceiver', { ...request, caseReferenceNew: 'J-1' })).rejects.toMatchObject({
    type: 'InvalidFlowInput',
    message: expect.stringMatching(/^request.caseReferenceNew: must be the case number C-1, or missing\./),
  })
  await call('SetShipmentReceiver', { ...request, CaseReferenceNew: 'C-1' })
  const [shipment] = (await world.api.call('GetShipments', { shipmentUid })).items
  expect(shipment).toMatchObject({ toUserUid, referenceCaseNo: 'C-1' })
})

test('a create whose response was lost is repeated with its key', async () => {
  const idempotencyKey = `C-1:${randomUUID()}:account`
  const request = person()
  const first = await call('CreateAccount', request, { idempotencyKey, keep: ['userUid'] })
  expect(await call('CreateAccount', request, { idempotencyKey, keep: ['userUid'] })).toEqual(first)
  await expect(call('CreateAccount', request)).rejects.toMatchObject({ type: 'EmailAlreadyRegistered' })
})

test('without keys, a create whose response was lost is uncertain, and one that was not sent is retried', async () => {
  world.toService.rule = ({ path }) => (path.endsWith('/CreateAccount') ? { kind: 'loseAnswer' } : pass)
  await expect(call('CreateAccount', person(), { profile: unkeyed })).rejects.toMatchObject({
    type: 'CallUncertain',
    nonRetryable: true,
    details: [{ attempt: 1, outcomeUnknown: true }],
  })
  world.toService.rule = ({ path }) => (path.endsWith('/CreateAccount') ? { kind: 'status', status: 429 } : pass)
  await expect(call('CreateAccount', person(), { profile: unkeyed })).rejects.toMatchObject({ nonRetryable: false })
})

test.each<[string, () => Record<string, unknown>]>([
  ['CreateOrGetAccount', person],
  ['RemoveAccount', () => ({ userUid: 'nobody' })],
])('without keys, %s whose response was lost is repeated', async (operation, request) => {
  world.toService.rule = ({ path }) => (path.endsWith(`/${operation}`) ? { kind: 'loseAnswer' } : pass)
  await expect(call(operation, request(), { profile: unkeyed })).rejects.toMatchObject({
    nonRetryable: false,
    details: [{ attempt: 1, outcomeUnknown: true }],
  })
})

test('without keys, a create is repeated after the loss of its worker only if that has not sent it', async () => {
  const request = person()
  world.toService.rule = ({ path }) => (path.endsWith('/CreateAccount') ? { kind: 'loseAnswer' } : pass)
  await expect(call('CreateAccount', request, { profile: unkeyed })).rejects.toMatchObject({ type: 'CallUncertain' })
  world.toService.rule = () => pass
  const before = callsOf('CreateAccount')
  await expect(repeat('CreateAccount', request, { profile: unkeyed })).rejects.toMatchObject({
    type: 'CallUncertain',
    nonRetryable: true,
    message: expect.stringContaining('the worker was lost'),
  })
  expect(callsOf('CreateAccount')).toBe(before)
  const other = person()
  world.toService.rule = ({ path }) => (path.endsWith('/CreateAccount') ? { kind: 'status', status: 429 } : pass)
  await expect(call('CreateAccount', other, { profile: unkeyed })).rejects.toMatchObject({ nonRetryable: false })
  world.toService.rule = () => pass
  expect(await repeat('CreateAccount', other, { profile: unkeyed })).toMatchObject({ userUid: expect.any(String) })
})

describe('a change whose response was lost is repeated, and the refusal of the repetition is its success:', () => {
  const account = async () => (await world.api.call('CreateAccount', person())).userUid ?? ''

  const requests: Readonly<Record<string, () => Promise<Record<string, unknown>>>> = {
    CancelShipment: async () => ({ shipmentUid: await booked() }),
    SetShipmentReceiver: async () => ({ shipmentUid: await booked(), toUserUid: await account() }),
    RemoveShipmentObject: async () => {
      const shipmentUid = await booked()
      const add = (description: string) =>
        world.api.call('AddShipmentObject', { shipmentUid, details: { description } })
      const { shipmentObjectUid } = await add('A drill')
      await add('A saw')
      return { shipmentUid, shipmentObjectUid }
    },
    RemoveAccount: async () => ({ userUid: await account() }),
  }

  test.each(Object.keys(requests))('%s', async operation => {
    const request = (await requests[operation]?.()) ?? {}
    const first = await call(operation, request)
    await expect(call(operation, request)).rejects.toMatchObject({ nonRetryable: true })
    expect(await repeat(operation, request)).toEqual(first)
    // A service without reads does not tell.
    await expect(repeat(operation, request, { profile: { ...fullProfile, reads: false } })).rejects.toMatchObject({
      nonRetryable: true,
    })
  })

  test('a refusal of the repetition with another cause stays one', async () => {
    const shipmentUid = await booked()
    await world.openShipment(shipmentUid, 'deliveryCode')
    await call('SetShipmentReceiver', { shipmentUid, toUserUid: await account() })
    const other = { shipmentUid, toUserUid: await account() }
    await expect(repeat('SetShipmentReceiver', other)).rejects.toMatchObject({ type: 'InvalidShipmentState' })
    await world.openShipment(shipmentUid, 'pickUpCode')
    await expect(repeat('CancelShipment', { shipmentUid })).rejects.toMatchObject({ type: 'InvalidShipmentState' })
    await expect(repeat('SetAccountPickUpPoint', { userUid: 'nobody', pickUpPointUid: 'pup-1' })).rejects.toMatchObject(
      {
        type: 'InvalidUserUid',
      },
    )
  })
})

test('the case number stays when an operation replaces the references of a shipment', async () => {
  const shipmentUid = await booked()
  await call('SetShipmentDetails', { shipmentUid, Description: 'A drill', ReferenceNo: 'R-1' })
  const { items } = await world.api.call('GetShipments', { shipmentUid })
  expect(items).toMatchObject([{ referenceCaseNo: 'C-1', description: 'A drill' }])
})

test('an output that is too large fails with the way out', async () => {
  const description = 'x'.repeat(1_000)
  for (let n = 0; n < 20; n++) {
    await world.api.call('CreateLocalShipmentAsStock', {
      ...parcel,
      Details: { ReferenceCaseNo: 'L-1', Description: description },
    })
  }
  await expect(call('GetShipments', { referenceCaseNo: 'L-1' })).rejects.toMatchObject({
    type: 'OutputTooLarge',
    nonRetryable: true,
    message: expect.stringContaining('GetShipments: must return at most 16384 bytes'),
  })
  expect(await call('GetShipments', { referenceCaseNo: 'L-1' }, { keep: ['totalItems'] })).toEqual({ totalItems: 20 })
})

/** An activity of each kind of operation. */
const activities: Readonly<Record<string, () => Promise<unknown>>> = {
  bookShipments: async () => world.activities.bookShipments(await orderOf(world, 'stock', { request: parcel })),
  cancelShipments: () =>
    world.activities.cancelShipments({ shipments: [{ shipmentUid: 'S', stateCode: 'Unknown' }], profile: fullProfile }),
  readShipments: () => world.activities.readShipments({ shipmentUids: ['S'] }),
  callOperation: () => call('CreateOrGetAccount', person()),
}

describe.each(Object.entries(activities))('at a service that is busy, %s', (_, run) => {
  test.each([
    ['a day', '86400', 60_000],
    ['the year 9999', 'Fri, 31 Dec 9999 23:59:59 GMT', 60_000],
    ['years', '999999999', 60_000],
    ['seven seconds', '7', 7_000],
    ['no moment', 'soon', undefined],
    ['more digits than a moment has', '99999999999999999999', undefined],
    ['less than nothing', '-86400', undefined],
  ])('waits at most a minute if Retry-After names %s', async (_, retryAfter, nextRetryDelay) => {
    const headers = { 'retry-after': retryAfter }
    world.toService.rule = ({ path }) => (path.endsWith('/token') ? pass : { kind: 'status', status: 503, headers })
    await expect(run()).rejects.toMatchObject({ type: 'Unavailable', nextRetryDelay })
  })
})
