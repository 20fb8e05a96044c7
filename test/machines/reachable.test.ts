import { expect, test } from 'vitest'
import { reachability } from '#machines'

test.each([
  ['WaitForPriorShipment', ['ReadyForDropOff', 'WaitForReceiver', 'ReadyForPickup', 'Completed', 'Cancelled']],
  ['ReadyForDropOff', ['WaitForReceiver', 'ReadyForPickup', 'Completed', 'Cancelled']],
  ['WaitForReceiver', ['ReadyForPickup', 'Completed', 'Cancelled']],
  ['ReadyForPickup', ['Completed', 'Cancelled']],
  ['Completed', []],
  ['Cancelled', []],
] as const)('what can come after %s', (from, after) => {
  expect(reachability()[from]).toEqual(after)
})
