import { expect, test } from 'vitest'
import { cancellableRoles, type ShipmentStep } from '#contract/machines'

/** A step that books a locker for a shipment with a receiver. */
function booking(role: string, jumps: readonly number[] = []): ShipmentStep {
  const shipment = { role, initialStates: ['ReadyForDropOff'] as const, link: null, receiver: true, existing: false }
  return { books: [shipment], jumps }
}
const none = { always: [], sometimes: [] }
const droppedOff: ShipmentStep = { wait: { issue: 'ReadyForPickup' } }

test('the end to which the error of a booking leads too can cancel what was booked', () => {
  const afterError = [booking('issue', [3]), droppedOff, {}, {}]
  expect(cancellableRoles(afterError)).toEqual([none, { always: ['issue'], sometimes: [] }, none, none])
  const withoutWait = [booking('issue', [2]), {}, {}]
  const sometimes = { always: [], sometimes: ['issue'] }
  expect(cancellableRoles(withoutWait)).toEqual([none, sometimes, sometimes])
})

test('a second booking whose error skips the first one cancels neither before it is made', () => {
  const steps = [booking('issue', [2]), {}, booking('return'), {}]
  const [, afterFirst, second, last] = cancellableRoles(steps)
  expect([afterFirst, second]).toEqual([
    { always: [], sometimes: ['issue'] },
    { always: [], sometimes: ['issue'] },
  ])
  expect(last).toEqual({ always: [], sometimes: ['issue', 'return'] })
})

test('a wait for two shipments that are linked ends with both', () => {
  const swap = {
    role: 'intake',
    initialStates: [],
    link: { by: 'swap', to: 'issue' },
    receiver: true,
    existing: false,
  } as const
  const pair: ShipmentStep = { books: [...(booking('issue').books ?? []), swap] }
  const both: ShipmentStep = { wait: { intake: 'Completed', issue: 'Completed' } }
  expect(cancellableRoles([pair, both, {}])).toEqual([none, { always: [], sometimes: ['issue', 'intake'] }, none])
})

test('a step that no state leads to cancels nothing', () => {
  const cancelled: ShipmentStep = { wait: { issue: 'Cancelled' } }
  const [, wait, after] = cancellableRoles([booking('issue'), cancelled, droppedOff])
  expect(wait).toEqual({ always: [], sometimes: ['issue'] })
  expect(after).toEqual(none)
})
