import { describe, expect, test } from 'vitest'
import { startSite } from '../../support/service/site.ts'
import { expectSound } from '../../support/service/soundness.ts'
import type { Step } from '../../support/service/steps.ts'

interface Life {
  readonly what: string
  /** A step with the callbacks that it causes in this order, or its refusal. */
  readonly steps: [Step, string][]
}

const lend = 'IssueFromStockAndSubsequentIntakeAndCircularStock'

const lives: Life[] = [
  {
    what: 'an intake',
    steps: [
      ['Intake', 'a ReadyForDropOff'],
      ['dropOff a', 'a ReadyForPickup'],
      ['pickUp a', 'a Completed'],
    ],
  },
  {
    what: 'an issue, and the intake that swaps it',
    steps: [
      ['IssueAndSwapIntake', 'a ReadyForDropOff, b WaitForPriorShipment'],
      ['dropOff b', 'InvalidAccessCode'],
      ['dropOff a', 'a ReadyForPickup, b ReadyForDropOff'],
      ['pickUp a', 'a Completed, b ReadyForPickup'],
      ['dropOff b', 'InvalidAccessCode'],
      ['pickUp b', 'b Completed'],
    ],
  },
  {
    what: 'a chain of swaps, opened by the common code of either',
    steps: [
      ['IssueAndSwapIntake', 'a ReadyForDropOff, b WaitForPriorShipment'],
      ['StockAfterSwapIntake b', 'c WaitForPriorShipment'],
      ['dropOff a', 'a ReadyForPickup, b ReadyForDropOff'],
      ['dropOff b', 'a Completed, b ReadyForPickup, c ReadyForDropOff'],
      ['dropOff c', 'b Completed, c WaitForReceiver'],
      ['IssueFromStockAndSwapIntake c', 'c ReadyForPickup, d ReadyForDropOff'],
      ['StockAfterSwapIntake d', 'e WaitForPriorShipment'],
      ['dropOff d', 'c Completed, d ReadyForPickup, e ReadyForDropOff'],
      ['pickUp d', 'd Completed, e WaitForReceiver'],
    ],
  },
  {
    what: 'stock after an intake whose item is there already',
    steps: [
      ['Intake', 'a ReadyForDropOff'],
      ['dropOff a', 'a ReadyForPickup'],
      ['StockAfterSwapIntake a', 'b ReadyForDropOff'],
      ['unlock PickUp a', 'a Completed, b WaitForReceiver'],
    ],
  },
  {
    what: 'stock that is issued when it is there',
    steps: [
      ['Stock', 'a ReadyForDropOff'],
      ['dropOff a', 'a WaitForReceiver'],
      ['pickUp a', 'InvalidAccessCode'],
      ['IssueFromStock a', 'a ReadyForPickup'],
      ['pickUp a', 'a Completed'],
    ],
  },
  {
    what: 'stock that is issued before it is there',
    steps: [
      ['Stock', 'a ReadyForDropOff'],
      ['IssueFromStock a', ''],
      ['dropOff a', 'a ReadyForPickup'],
      ['pickUp a', 'a Completed'],
    ],
  },
  {
    what: 'stock that waits for its turn and is issued meanwhile',
    steps: [
      ['Intake', 'a ReadyForDropOff'],
      ['StockAfterSwapIntake a', 'b WaitForPriorShipment'],
      ['IssueFromStock b', ''],
      ['dropOff a', 'a ReadyForPickup, b ReadyForDropOff'],
      ['pickUp a', 'a Completed, b ReadyForPickup'],
    ],
  },
  {
    what: 'stock that is issued for an intake that swaps it',
    steps: [
      ['Stock', 'a ReadyForDropOff'],
      ['dropOff a', 'a WaitForReceiver'],
      ['IssueFromStockAndSwapIntake a', 'a ReadyForPickup, b ReadyForDropOff'],
      ['unlock DropOff b', 'a Completed, b ReadyForPickup'],
      ['unlock PickUp b', 'b Completed'],
    ],
  },
  {
    what: 'stock that is issued for an intake that swaps it, before it is there',
    steps: [
      ['Stock', 'a ReadyForDropOff'],
      ['IssueFromStockAndSwapIntake a', 'b WaitForPriorShipment'],
      ['unlock DropOff b', 'UnlockNotAllowed'],
      ['unlock DropOff a', 'a ReadyForPickup, b ReadyForDropOff'],
      ['unlock PickUp a', 'a Completed, b ReadyForPickup'],
    ],
  },
  {
    what: 'stock that is swapped, and gets its receiver later',
    steps: [
      ['Stock', 'a ReadyForDropOff'],
      ['dropOff a', 'a WaitForReceiver'],
      ['StockSwap a', 'b WaitForPriorShipment'],
      ['dropOff b', 'InvalidAccessCode'],
      ['setReceiver a', 'a ReadyForPickup, b ReadyForDropOff'],
      ['pickUp a', 'a Completed, b WaitForReceiver'],
    ],
  },
  {
    what: 'an intake whose item is stock again',
    steps: [
      ['IntakeAndCircularStock', 'a ReadyForDropOff, b WaitForPriorShipment'],
      ['dropOff b', 'InvalidAccessCode'],
      ['dropOff a', 'a Completed, b ReadyForPickup'],
      ['IssueFromStock b', ''],
      ['pickUp b', 'b Completed'],
    ],
  },
  {
    what: 'an item that is lent, comes back, and is lent again',
    steps: [
      ['Stock', 'a ReadyForDropOff'],
      ['dropOff a', 'a WaitForReceiver'],
      [`${lend} a`, 'a ReadyForPickup, b WaitForPriorShipment, c WaitForPriorShipment'],
      ['dropOff b', 'InvalidAccessCode'],
      ['pickUp a', 'a Completed, b ReadyForDropOff'],
      ['dropOff b', 'b Completed, c ReadyForPickup'],
      [`${lend} c`, 'd WaitForPriorShipment, e WaitForPriorShipment'],
      [`${lend} c`, 'InvalidShipmentState'],
      ['pickUp c', 'c Completed, d ReadyForDropOff'],
      [`${lend} e`, 'f WaitForPriorShipment, g WaitForPriorShipment'],
      ['dropOff d', 'd Completed, e ReadyForPickup'],
      ['pickUp e', 'e Completed, f ReadyForDropOff'],
    ],
  },
  {
    what: 'circular stock that is promised before it comes, for an intake that swaps it',
    steps: [
      ['IntakeAndCircularStock', 'a ReadyForDropOff, b WaitForPriorShipment'],
      ['IssueFromStockAndSwapIntake b', 'c WaitForPriorShipment'],
      ['dropOff a', 'a Completed, b ReadyForPickup, c ReadyForDropOff'],
      ['pickUp b', 'b Completed, c ReadyForPickup'],
    ],
  },
  {
    what: 'an intake whose circular stock was cancelled, which can be swapped like any other',
    steps: [
      ['IntakeAndCircularStock', 'a ReadyForDropOff, b WaitForPriorShipment'],
      ['StockAfterSwapIntake a', 'InvalidShipmentState'],
      ['cancel b', 'b Cancelled'],
      ['StockAfterSwapIntake a', 'c WaitForPriorShipment'],
      ['dropOff a', 'a ReadyForPickup, c ReadyForDropOff'],
      ['pickUp a', 'a Completed, c WaitForReceiver'],
    ],
  },
]

describe('step by step, with every callback in its order (SPEC-30)', () => {
  test.each(lives)('$what', async ({ steps }) => {
    const site = await startSite()
    for (const [step, expected] of steps) {
      const { body } = await site.run(step)
      const announced = expected.includes(' ') ? expected.split(', ') : []
      const error = expected !== '' && announced.length === 0 ? expected : null
      expect({ step, error: body.error, announced: await site.callbacks() }).toEqual({
        step,
        error,
        announced,
      })
      await expectSound(site.world)
    }
  })
})
