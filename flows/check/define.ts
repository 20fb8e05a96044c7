import type { FlowDeclaration } from '#flows/declaration'
import type { Checked } from './types/checked.ts'

/**
 * Declares a flow of your own. The compiler checks its form and its references, and reports a fault at the field:
 * operations, fields of requests and their sources, conditions, roles, states, outputs, and steps that `goTo` names.
 * `lockerflow flows check` checks the order and the ways too.
 *
 * ```ts
 * export const keepItem = defineFlow({
 *   name: 'keepItem',
 *   summary: 'An item goes into stock.',
 *   steps: [
 *     { name: 'booking', summary: 'A locker is booked.', book: 'CreateLocalShipmentAsStock' },
 *     { name: 'dropOff', summary: 'The item comes.', wait: { stock: 'WaitForReceiver' }, window: '2d', onTimeout: 'remind' },
 *   ],
 * })
 * ```
 */
export function defineFlow<const Flow extends FlowDeclaration>(flow: Flow & Checked<Flow>): Flow {
  return flow
}
