import { type PickUpPoint, topology } from '../places.ts'
import type { Account, Model, Name, Shipment, Tenant } from './model.ts'
import { refuse } from './refusal.ts'

/** The pick up points that a tenant manages. */
export function managedBy(tenant: string): readonly PickUpPoint[] {
  return topology.pickUpPoints.filter(({ tenants }) => tenants.includes(tenant))
}

/** @throws Refusal if the point is unknown or belongs to another tenant */
export function ownPoint(tenant: string, pupUid: string): PickUpPoint {
  return managedBy(tenant).find(point => point.pupUid === pupUid) ?? refuse('InvalidPupUid')
}

/** @throws Refusal if the shipment is unknown or belongs to another tenant */
export function ownShipment(model: Model, tenant: string, name: Name): Shipment {
  return model.shipments.find(one => one.name === name && one.tenant === tenant) ?? refuse('InvalidShipment')
}

/** An account of any tenant. @throws Refusal if it is unknown */
export function anyUser(model: Model, name: Name): Name {
  return model.accounts.some(account => account.name === name) ? name : refuse('InvalidUserUid')
}

/** The main account of another tenant's dispatcher is managed by that tenant only. */
export function manages(tenant: string, account: Account): boolean {
  const isOfOther = account.dispatcherOf !== null && account.dispatcherOf !== tenant
  return !isOfOther && managedBy(tenant).some(({ pupUid }) => pupUid === account.mainPupUid)
}

/** @throws Refusal if the account is unknown or the tenant does not manage it */
export function managedAccount(model: Model, tenant: string, name: Name): Account {
  return model.accounts.find(one => one.name === name && manages(tenant, one)) ?? refuse('InvalidUserUid')
}

export function tenantNamed(model: Model, tenant: string): Tenant {
  const found = model.tenants[tenant]
  if (found === undefined) throw new Error(`Tenant ${tenant} is unknown.`)
  return found
}
