// Requests to the service, generated from random numbers and the state of the model.
// The model-based tests import this.
import type { OperationName } from '#contract'
import { accounts } from './accounts.ts'
import type { Asks } from './ask.ts'
import { creating } from './creating.ts'
import { handling } from './handling.ts'
import { platform } from './platform.ts'

export const asks: Asks<OperationName> = { ...creating, ...handling, ...accounts, ...platform }
