// The effect of each operation by the specification and the decisions, written without the service's code.
// The model-based tests import this.
import type { OperationName, UploadName } from '#contract'
import { access } from './access.ts'
import { accounts } from './accounts.ts'
import { bookings } from './bookings.ts'
import { collecting } from './collecting.ts'
import { issueFromStockRules } from './issueFromStock.ts'
import { listing } from './listing.ts'
import { pickUpPoints } from './pickUpPoints.ts'
import { platform } from './platform.ts'
import { registering } from './registering.ts'
import type { Rules } from './rule.ts'
import { shipments } from './shipments.ts'
import { suggestions, upload } from './suggestions.ts'
import { swapRules } from './swaps.ts'

const rulesOfCalls: Rules<Exclude<OperationName, UploadName>> = {
  ...{ ...bookings, ...swapRules, ...issueFromStockRules, ...collecting, ...shipments, ...access, ...listing },
  ...{ ...accounts, ...registering, ...suggestions, ...pickUpPoints, ...platform },
}

export const rules = { ...rulesOfCalls, UploadAccountSuggestions: upload }
