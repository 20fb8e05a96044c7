import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { type OperationName, operations } from '#contract'
import type { ServiceResponse, TestService } from '../../support/service/testService.ts'
import { delivered, expectCallbacks, type StoreState } from '../invariants/index.ts'
import { isBooked, lockers } from '../model/lockers.ts'
import type { Model } from '../model/model.ts'
import { managedBy, manages } from '../model/who.ts'
import { clientIds, tenantNames, tenantOf } from '../places.ts'
import { fieldsOf } from '../rules/accounts.ts'
import { itemsOf } from '../rules/listing.ts'
import { sizesAt } from '../rules/pickUpPoints.ts'
import type { Choices } from '../rules/rule.ts'
import type { Names } from './names.ts'
import type { ModelSite } from './site.ts'

/** Reads the choices of the service from its response and its store. */
export function choicesIn({ body }: ServiceResponse, { shipments }: StoreState, names: Names): Choices {
  const items = Array.isArray(body.items) ? body.items : []
  const order = items.map(({ shipmentUid, pupUid }) => names.nameOf(shipmentUid) ?? pupUid)
  // The first shipment of an operation gets the chosen locker.
  const made = [body.shipmentUid, ...(Array.isArray(body.shipmentUids) ? body.shipmentUids : [])]
  const booked = shipments.find(({ shipment_uid }) => made.includes(shipment_uid))?.locker_uid
  return {
    locker(among) {
      const [first] = among
      if (first === undefined) throw new Error('There must be a locker to choose from.')
      return among.find(({ lockerUid }) => lockerUid === booked) ?? first
    },
    rank: name => (order.includes(name) ? order.indexOf(name) : order.length),
  }
}

/** Like `toEqual`, but faster for equal values. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, what).toEqual(expected)
}

/** Calls an operation without checking its response by the contract, which the steps do. */
export async function read({ send, token }: TestService, name: OperationName, body: object, client: string) {
  const authorization = `Bearer ${await token(client)}`
  const headers = { 'content-type': 'application/json', authorization }
  return (await send(operations[name].path, { method: 'POST', headers, body: JSON.stringify(body) })).body
}

const clientOf = (tenant: string) => clientIds.find(client => tenantOf[client] === tenant) ?? ''

async function compareShipments({ services: [service], names }: ModelSite, model: Model, tenant: string) {
  const { items } = await read(service, 'GetShipments', { pageSize: 500 }, clientOf(tenant))
  const expected = itemsOf(model, tenant)
  expectSame(names.bindAll(expected, items), expected, `shipments of ${tenant}`)
}

/** Compares a tenant's shipments and lockers, and the store of all tenants, with the model. */
export async function compareTenant(site: ModelSite, model: Model, tenant: string, stored: StoreState): Promise<void> {
  const [service] = site.services
  const client = clientOf(tenant)
  await compareShipments(site, model, tenant)

  const points = await read(service, 'GetPickUpPoints', { includeDetails: true }, client)
  const free = points.items as { pupUid: string; lockers: object[] }[]
  for (const { pupUid } of managedBy(tenant)) {
    expectSame(free.find(point => point.pupUid === pupUid)?.lockers, sizesAt(model, pupUid), `lockers at ${pupUid}`)
  }

  const booked = lockers.filter(({ lockerUid }) => isBooked(model, lockerUid)).map(({ lockerUid }) => lockerUid)
  expect(stored.booked, 'booked lockers').toEqual(booked.sort())
  const changed = stored.shipments.map(({ shipment_uid, updated_at }) => [site.names.nameOf(shipment_uid), updated_at])
  const expected = model.shipments.map(({ name, activity }) => [name, activity])
  expectSame(changed, expected, 'shipments, and when each changed last')
  const accounts = stored.accounts.map(({ user_uid, main_pup_uid }) => `${site.names.nameOf(user_uid)} ${main_pup_uid}`)
  expect(accounts.sort(), 'accounts').toEqual(
    model.accounts.map(({ name, mainPupUid }) => `${name} ${mainPupUid}`).sort(),
  )
}

/** Compares the shipments of all tenants, every account and every callback with the model. */
export async function compareAll(site: ModelSite, model: Model): Promise<void> {
  const [service] = site.services
  for (const tenant of tenantNames) await compareShipments(site, model, tenant)
  for (const account of model.accounts) {
    const tenant = tenantNames.find(name => manages(name, account)) ?? ''
    const ask = { userUid: site.names.real(account.name) }
    const { body } = await service.call('GetAccount', ask, { client: clientOf(tenant) })
    expect(site.names.named(body)).toMatchObject(fieldsOf(account))
    const { body: flags } = await service.call('GetAccountMutationConfig', ask, { client: clientOf(tenant) })
    expect(flags).toMatchObject(account.flags)
  }
  await delivered(service)
  expectCallbacks(model.announced, site.receivers, site.names)
}
