import type { Rule } from '../rule.ts'
import { accountBehaviour } from './accounts/behaviour.ts'
import { accountFields } from './accounts/fields.ts'
import { accountOperations } from './accounts/operations.ts'

/** Accounts: who may see them, their fields, and the operations that make, change and remove them. */
export const accounts: readonly Rule[] = [...accountFields, ...accountOperations, ...accountBehaviour]
