// The entry of the bundle that workers run. README.md is a map of the folder.

import { importAccountSuggestions } from './accounts/importAccountSuggestions.ts'
import { onboardAccount } from './accounts/onboardAccount.ts'
import { bookingFlow } from './bookingFlow.ts'
import { notification } from './notifications/deliver.ts'
import { sweep } from './sweep.ts'
import { setVersioningBehavior } from './versioning.ts'

// The SDK captures a stack per promise for the Stack Trace tab; five frames suffice and save memory.
Object.assign(Error, { stackTraceLimit: 5 })

for (const workflow of [bookingFlow, importAccountSuggestions, onboardAccount, notification, sweep]) {
  setVersioningBehavior(workflow)
}

// The default export serves a flow that is declared but missing here, and rejects unknown workflow types with UnknownFlow.
export {
  bookingFlow as default,
  bookingFlow as collectByDispatcher,
  bookingFlow as collectByUser,
  bookingFlow as intake,
  bookingFlow as intakeAndCircularStock,
  bookingFlow as issue,
  bookingFlow as issueAndSwapIntake,
  bookingFlow as issueFromStock,
  bookingFlow as issueFromStockAndSubsequentIntakeAndCircularStock,
  bookingFlow as issueFromStockAndSwapIntake,
  bookingFlow as localShipment,
  bookingFlow as stock,
  bookingFlow as stockAfterSwapIntake,
  importAccountSuggestions,
  notification,
  onboardAccount,
  sweep,
}
