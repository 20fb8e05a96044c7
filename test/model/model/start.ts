import { type MutationFlag, mutationFlags } from '#contract'
import { tenantNames, topology } from '../places.ts'
import { type Account, type Model, newName, type Tenant } from './model.ts'
import { managedBy } from './who.ts'

export const noFlags = Object.fromEntries(mutationFlags.map(flag => [flag, null])) as Record<MutationFlag, null>

/** The model of a service that has just started with the topology. */
export function startModel(now: number): Model {
  const named = { shipment: 0, user: 0, object: 0, code: 0, mail: 0, key: 0 }
  const model: Model = {
    ...{ now, named, tenants: {}, accounts: [], shipments: [] },
    ...{ attempts: {}, kept: [], outOfService: {}, announced: [] },
  }
  for (const name of tenantNames) {
    const { dispatcher } = topology.tenants.find(tenant => tenant.name === name) ?? {}
    if (dispatcher === undefined) throw new Error(`Tenant ${name} must have a dispatcher.`)
    const account: Account = {
      ...dispatcher,
      name: newName(model, 'user'),
      phoneNumber: null,
      languageCode: null,
      mainPupUid: managedBy(name)[0]?.pupUid ?? '',
      mailCode: newName(model, 'mail'),
      dispatcherOf: name,
      flags: { ...noFlags },
    }
    const tenant: Tenant = {
      dispatcher: account.name,
      callback: { url: null, authType: 'None', key: null },
      faults: { mutationConfigFails: false, hardwareFails: false },
      suggestions: [],
    }
    model.accounts.push(account)
    model.tenants[name] = tenant
  }
  return model
}
