// Accounts: shared by all tenants, seen and changed by those that manage their main pick up point.
// Imported by the service's operations.
export { answerOf, hiddenAnswer, unknownAnswer } from './answer.ts'
export { setDetails } from './details.ts'
export { accountBy, managedAccountBy } from './find.ts'
export { accountToChange, managedAccount } from './managed.ts'
export { applyMutationConfig, mutationConfigOf } from './mutationConfig.ts'
export { createAccount, createOrGetAccount } from './register.ts'
export { removeAccount } from './remove.ts'
