import type { Rule } from '../../rule.ts'

/** Flow-specific local operations. */
export const flowCreation: readonly Rule[] = [
  {
    section: 'Flow-specific local operations',
    rule: 'CreateLocalShipmentAsIssue makes one issue, from the dispatcher to the user.',
    heldBy: [
      'test/service/shipments/lifecycle.test.ts > an issue goes from the dispatcher to the user, and stock has no receiver',
    ],
  },
  {
    section: 'Flow-specific local operations',
    rule: 'CreateLocalShipmentAsIssueAndSwapIntake makes an issue and an intake from the same user that swaps it.',
    heldBy: [
      'test/service/shipments/createLinked.test.ts > users, details and links, in the order of the specification',
      'test/service/shipments/linkedLifecycles.test.ts > step by step, with every callback in its order',
    ],
  },
  {
    section: 'Flow-specific local operations',
    rule: 'CreateLocalShipmentAsStock creates one stock shipment without a receiver.',
    heldBy: [
      'test/service/shipments/lifecycle.test.ts > an issue goes from the dispatcher to the user, and stock has no receiver',
    ],
  },
  {
    section: 'Flow-specific local operations',
    rule: 'CreateLocalShipmentAsStockAfterSwapIntake makes a stock shipment that swaps an intake that is there.',
    heldBy: [
      'test/service/shipments/createLinked.test.ts > users, details and links, in the order of the specification',
      'test/service/shipments/linkedLockers.test.ts > linked shipments share the locker, and the size of the first one where none is given > and stock with a swap has its own size',
    ],
  },
  {
    section: 'Flow-specific local operations',
    rule: 'CreateLocalShipmentAsIssueFromStock names the receiver of a stock shipment that is there.',
    heldBy: [
      'test/service/shipments/createLinked.test.ts > users, details and links, in the order of the specification',
    ],
  },
  {
    section: 'Flow-specific local operations',
    rule: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake issues the stock shipment and makes an intake that swaps it.',
    heldBy: [
      'test/service/shipments/createLinked.test.ts > users, details and links, in the order of the specification',
      'test/service/shipments/linkedLifecycles.test.ts > step by step, with every callback in its order',
    ],
  },
  {
    section: 'Flow-specific local operations',
    rule: 'CreateLocalShipmentAsIntake makes one intake, from the user to the dispatcher.',
    heldBy: [
      'test/service/shipments/createLinked.test.ts > users, details and links, in the order of the specification',
    ],
  },
  {
    section: 'Flow-specific local operations',
    rule: 'CreateLocalShipmentAsIntakeAndCircularStock makes an intake, and a second one by circular reference that is ready for pick up once the item is in.',
    heldBy: [
      'test/service/shipments/createLinked.test.ts > users, details and links, in the order of the specification',
      'test/service/shipments/linkedLifecycles.test.ts > step by step, with every callback in its order',
      'test/machines/subsequentAndCircular.test.ts > subsequent and circular shipments:',
    ],
  },
  {
    section: 'Flow-specific local operations',
    rule: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock issues the stock shipment, and makes a subsequent intake of the same user and a circular stock after it.',
    heldBy: [
      'test/service/shipments/createLinked.test.ts > users, details and links, in the order of the specification',
      'test/service/shipments/linkedLifecycles.test.ts > step by step, with every callback in its order',
    ],
  },
  {
    section: 'Flow-specific local operations',
    rule: 'Where that operation is given no details, those of the stock shipment are used.',
    heldBy: [
      'test/service/shipments/createLinked.test.ts > users, details and links, in the order of the specification',
    ],
  },
]
