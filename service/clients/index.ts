// API clients, tenants and signing keys from the operator's side: listing, adding, rotating, revoking and removing.
// Only service/index.ts imports this.
export type { ClientEntry, Listing, SecretEntry, TenantEntry } from './list.ts'
export { type ClientRegistry, type NewSecret, openClientRegistry } from './registry.ts'
