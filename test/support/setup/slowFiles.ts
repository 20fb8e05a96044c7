/**
 * Files that mostly wait. Started late, one of them is what the whole run waits for at its end. From the second run on vitest
 * starts the longest first by itself, so these are for new clones.
 */
export const slowFiles = [
  'test/worker/versioning/ramp.test.ts',
  'test/workflows/kinds/wait/everyWindow.test.ts',
  'test/workflows/kinds/book/faultyService.test.ts',
  'test/workflows/kinds/book/killedWorker.test.ts',
  'test/workflows/notifications/notifications.test.ts',
  'test/client/once.test.ts',
  'test/docs/backUpFlows.test.ts',
  'test/docs/replaceKeys.test.ts',
  'test/packages/installed.test.ts',
  'test/attack/attack.test.ts',
]
