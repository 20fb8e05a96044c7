import { assign, setup } from 'xstate'

/** What the rules need to know of a shipment beside its state. */
export interface ShipmentFacts {
  /** Somebody is named to collect the item. */
  readonly receiver: boolean
  /** Stays booked after a collection (KeepBookedAfterPickUp). */
  readonly kept: boolean
  /** Made without a receiver: by a stock operation, a delayed receiver or a circular link. */
  readonly stock: boolean
  /** The intake of a circular pair: what is dropped off passes on into stock. */
  readonly passesOn: boolean
}

/**
 * How a shipment comes after another one, whose locker it shares.
 *
 * - swap: dropped off in the opening in which the other is picked up; its delivery code is the other's pick up code.
 * - subsequent: the same user brings the item back once the other is completed.
 * - circular: has the item, as stock, once the other is dropped off.
 */
export type Link = 'swap' | 'subsequent' | 'circular'

/** What happens to a shipment. `turnComes` says by which link a shipment was waiting. */
export type ShipmentEvent =
  | { readonly type: 'dropOff' }
  | { readonly type: 'pickUp' }
  | { readonly type: 'setReceiver' }
  | { readonly type: 'removeReceiver' }
  | { readonly type: 'issueFromStock' }
  | { readonly type: 'turnComes'; readonly link: Link }
  | { readonly type: 'cancel' }

export const initialFacts: ShipmentFacts = { receiver: false, kept: false, stock: false, passesOn: false }

/** The rules of one shipment; what linked shipments do to each other is not its concern. */
export const shipmentMachine = setup({
  types: {
    context: {} as ShipmentFacts,
    events: {} as ShipmentEvent,
    input: {} as ShipmentFacts,
  },
  guards: {
    hasReceiver: ({ context }) => context.receiver,
    hasNoReceiver: ({ context }) => !context.receiver,
    isKept: ({ context }) => context.kept,
    passesOn: ({ context }) => context.passesOn,
    canBeIssued: ({ context }) => context.stock && !context.receiver,
    waitsByCircle: ({ event }) => event.type === 'turnComes' && event.link === 'circular',
  },
  actions: {
    nameReceiver: assign({ receiver: true }),
    dropReceiver: assign({ receiver: false }),
  },
}).createMachine({
  id: 'shipment',
  context: ({ input }) => ({ ...initialFacts, ...input }),
  initial: 'ReadyForDropOff',
  states: {
    WaitForPriorShipment: {
      on: {
        turnComes: [{ guard: 'waitsByCircle', target: 'ReadyForPickup' }, { target: 'ReadyForDropOff' }],
        setReceiver: { guard: 'hasNoReceiver', actions: 'nameReceiver' },
        removeReceiver: { guard: 'hasReceiver', actions: 'dropReceiver' },
        issueFromStock: { guard: 'canBeIssued', actions: 'nameReceiver' },
        cancel: 'Cancelled',
      },
    },
    ReadyForDropOff: {
      on: {
        dropOff: [
          { guard: 'passesOn', target: 'Completed' },
          { guard: 'hasReceiver', target: 'ReadyForPickup' },
          { target: 'WaitForReceiver' },
        ],
        setReceiver: { guard: 'hasNoReceiver', actions: 'nameReceiver' },
        removeReceiver: { guard: 'hasReceiver', actions: 'dropReceiver' },
        issueFromStock: { guard: 'canBeIssued', actions: 'nameReceiver' },
        cancel: 'Cancelled',
      },
    },
    WaitForReceiver: {
      on: {
        setReceiver: { target: 'ReadyForPickup', actions: 'nameReceiver' },
        issueFromStock: { guard: 'canBeIssued', target: 'ReadyForPickup', actions: 'nameReceiver' },
        cancel: 'Cancelled',
      },
    },
    ReadyForPickup: {
      on: {
        // A transition without target and action counts as forbidden, so staying is spelled out.
        pickUp: [{ guard: 'isKept', target: 'ReadyForPickup' }, { target: 'Completed' }],
        issueFromStock: { guard: 'canBeIssued', actions: 'nameReceiver' },
        cancel: 'Cancelled',
      },
    },
    Completed: { type: 'final' },
    Cancelled: { type: 'final' },
  },
})
