import type { FlowDeclaration, Step, WaitStep } from '#flows/declaration'
import { asks, block, books, waits } from './blockFlows.ts'

// Flows of blocks that book, for tests on a server. A worker in a process of its own loads this file too.

const input = {
  PupUid: 'uid',
  ToUserUid: 'uid',
  parts: { optional: { list: { fields: { sku: 'text', width: 'integer' } } } },
} as const

const flowOf = (name: string, steps: readonly Step[], outputs: FlowDeclaration['outputs'] = {}): FlowDeclaration => ({
  name,
  summary: 'Blocks that book.',
  input,
  steps,
  outputs,
})

/** Books a locker for an item, which a person places and another one collects. */
function shipment(role: string, put: Partial<WaitStep> = {}): Step[] {
  return [
    books(`${role}Booking`, { as: { issue: role } }),
    waits(`${role}Put`, 'ReadyForPickup', { wait: { [role]: 'ReadyForPickup' }, ...put }),
    waits(`${role}Taken`, 'Completed', { wait: { [role]: 'Completed' } }),
  ]
}

/** One shipment for each part, told apart by the width in its request. */
const parts = block('parts', {
  forEach: 'input.parts' as const,
  item: 'piece',
  key: 'sku',
  atMost: 20,
  steps: [
    books('partBooking', {
      as: { issue: 'part' },
      request: {
        PupUid: { from: 'input.PupUid' },
        ToUserUid: { from: 'input.ToUserUid' },
        AllowLargerLockers: true,
        AllowOverflowLockers: false,
        Dimension: { width: { from: 'piece.width' }, height: 1, length: 1 },
      },
    }),
    waits('partPut', 'ReadyForPickup', { wait: { part: 'ReadyForPickup' }, window: '48h', onTimeout: 'ask' }),
    waits('partTaken', 'Completed', { wait: { part: 'Completed' } }),
  ],
  collect: { uid: { from: 'part.shipmentUid' } },
})

export const branches = flowOf('branches', [
  block('sides', {
    parallel: [
      { name: 'a', steps: shipment('left') },
      { name: 'b', steps: shipment('right') },
    ],
  }),
])

export const items = flowOf('items', [parts], { parts: 'parts.items', completed: 'parts.completed' })

/** A part without a locker is left out. */
export const someItems = flowOf('someItems', [{ ...parts, onItemError: 'continue' as const }], {
  parts: 'parts.items',
  failed: 'parts.failed',
})

/** Lends twice. */
export const rounds = flowOf('rounds', [block('loans', { repeat: { atMost: 2 }, steps: shipment('lent') })], {
  rounds: 'loans.rounds',
})

export const cases = flowOf('cases', [
  asks('choice'),
  block('chosen', {
    switch: [
      { when: { 'choice.answer': 'yes' } as const, steps: shipment('granted') },
      { steps: [asks('why', { ask: { over: {} } })] },
    ],
  }),
])

/** A group takes the loss of one of its two shipments, and cancels the other one. */
export const undone = flowOf('undone', [
  block('pair', {
    group: [
      books('firstBooking', { as: { issue: 'first' } }),
      ...shipment('second'),
      waits('firstTaken', 'Completed', { wait: { first: 'Completed' } }),
    ],
    onError: { ShipmentCancelled: 'continue' },
  }),
  ...shipment('instead'),
])

/** Each part is placed, and somebody says whether it fits. */
export const fitted = flowOf(
  'fitted',
  [
    {
      ...parts,
      steps: [...parts.steps.slice(0, 2), asks('fit'), ...parts.steps.slice(2)],
      collect: { fits: { from: 'fit.answer' } },
    },
  ],
  { parts: 'parts.items' },
)

export const lockerFlows = [branches, items, someItems, rounds, cases, undone, fitted]
