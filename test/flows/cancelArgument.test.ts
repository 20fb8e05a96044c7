import { expect, test } from 'vitest'
import { findCancelFault } from '#flows'

const reason = 'reason: must be a text of 1 to 500 characters, or missing.'

test.each([undefined, null, {}, { reason: null }, { reason: 'over' }, { reason: 'x'.repeat(500) }])(
  '%j cancels a flow',
  argument => expect(findCancelFault(argument)).toBeUndefined(),
)

test.each([
  ['over', 'the argument: must be an object, or missing.'],
  [[], 'the argument: must be an object, or missing.'],
  [{ decision: 'extend' }, 'the argument: must only have the field reason, got decision.'],
  [{ reason: 'over', decision: 'extend' }, 'the argument: must only have the field reason, got decision.'],
  [{ reason: 7 }, reason],
  [{ reason: '' }, reason],
  [{ reason: 'x'.repeat(501) }, reason],
])('%j does not', (argument, fault) => expect(findCancelFault(argument)).toBe(fault))
