// Accounts: shared by all tenants, visible to and changed by the tenants that manage their main pick up point.
// Imported by the service's operations, suggestions, persons, retention and topology.

export { setAccountDetails } from './details.ts'
export { newMailCode } from './insert.ts'
export {
  findAccount,
  findManagedAccount,
  findManagedByUserName,
  isManagedBy,
  lockAccount,
  requireManagedAccount,
} from './load.ts'
export { applyMutationConfig, readMutationConfig } from './mutationConfig.ts'
export { createAccount, createOrGetAccount } from './register.ts'
export { hideInStoredResponses, removeAccount } from './remove.ts'
export { toAccountResponse, toHiddenAccountResponse, unknownAccountResponse } from './response.ts'
