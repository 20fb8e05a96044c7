// Accounts: shared by all tenants, seen and changed by those that manage their main pick up point.
// Imported by the service's operations.
export { answerOf, hiddenAnswer, unknownAnswer } from './answer.ts'
export { accountBy } from './find.ts'
export { createAccount, createOrGetAccount } from './register.ts'
