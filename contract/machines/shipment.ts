import { assign, setup } from 'xstate'
import type { Link } from '#contract/terms'

/** The part of a shipment, next to its state, that the guards read. */
export interface ShipmentContext {
  /** An account is set as the receiver, who may collect the item. */
  readonly receiver: boolean
  /** The booking survives a collection (KeepBookedAfterPickUp). */
  readonly keepBooked: boolean
  /** Created without a receiver: by a stock operation, a delayed receiver or a circular link. */
  readonly stock: boolean
  /** The intake of a circular pair: its item becomes stock as soon as it is dropped off. */
  readonly feedsStock: boolean
}

/** `priorAdvanced` names the link, because a circular shipment skips the drop off. */
export type ShipmentEvent =
  | { readonly type: 'dropOff' }
  | { readonly type: 'pickUp' }
  | { readonly type: 'setReceiver' }
  | { readonly type: 'removeReceiver' }
  | { readonly type: 'issueFromStock' }
  | { readonly type: 'priorAdvanced'; readonly link: Link }
  | { readonly type: 'cancel' }

/**
 * The rules of one shipment; `links.ts` has those between shipments. Stately's editor reads this expression from the
 * source, so the configuration is one literal: no spread, no constant, no function.
 */
export const shipmentMachine = setup({
  types: {
    context: {} as ShipmentContext,
    events: {} as ShipmentEvent,
  },
  guards: {
    hasReceiver: ({ context }) => context.receiver,
    hasNoReceiver: ({ context }) => !context.receiver,
    staysBooked: ({ context }) => context.keepBooked,
    feedsStock: ({ context }) => context.feedsStock,
    canBeIssued: ({ context }) => context.stock && !context.receiver,
    isCircularLink: ({ event }) => event.type === 'priorAdvanced' && event.link === 'circular',
  },
  actions: {
    addReceiver: assign({ receiver: true }),
    clearReceiver: assign({ receiver: false }),
  },
}).createMachine({
  id: 'shipment',
  description: 'One booking of a locker, from its creation until it is collected or cancelled.',
  context: { receiver: false, keepBooked: false, stock: false, feedsStock: false },
  initial: 'ReadyForDropOff',
  states: {
    WaitForPriorShipment: {
      description: 'Linked to a prior shipment, which has to advance first.',
      on: {
        priorAdvanced: [
          {
            guard: 'isCircularLink',
            target: 'ReadyForPickup',
            description: 'The intake was dropped off. Its item is now the stock of this shipment.',
          },
          {
            target: 'ReadyForDropOff',
            description:
              'The swapped shipment can be picked up, or the prior shipment of a subsequent one is completed.',
          },
        ],
        setReceiver: {
          guard: 'hasNoReceiver',
          actions: 'addReceiver',
          description: 'Sets the receiver. One that is already set must be removed first.',
        },
        removeReceiver: {
          guard: 'hasReceiver',
          actions: 'clearReceiver',
          description: 'Removes the receiver, as long as the item is not in the locker.',
        },
        issueFromStock: {
          guard: 'canBeIssued',
          actions: 'addReceiver',
          description: 'Assigns stock that has not arrived yet to a receiver.',
        },
        cancel: { target: 'Cancelled', description: 'Cancels the booking.' },
      },
    },
    ReadyForDropOff: {
      description: 'The sender can place the item with the delivery code.',
      on: {
        dropOff: [
          {
            guard: 'feedsStock',
            target: 'Completed',
            description: 'The item becomes the stock of the circular shipment, which ends this one.',
          },
          {
            guard: 'hasReceiver',
            target: 'ReadyForPickup',
            description: 'The item is placed for its receiver.',
          },
          {
            target: 'WaitForReceiver',
            description: 'The item is placed without a receiver and becomes stock.',
          },
        ],
        setReceiver: {
          guard: 'hasNoReceiver',
          actions: 'addReceiver',
          description: 'Sets the receiver. One that is already set must be removed first.',
        },
        removeReceiver: {
          guard: 'hasReceiver',
          actions: 'clearReceiver',
          description: 'Removes the receiver, as long as the item is not in the locker.',
        },
        issueFromStock: {
          guard: 'canBeIssued',
          actions: 'addReceiver',
          description: 'Assigns stock that has not arrived yet to a receiver.',
        },
        cancel: { target: 'Cancelled', description: 'Cancels the booking.' },
      },
    },
    WaitForReceiver: {
      description: 'The item is in the locker and has no receiver: it is stock.',
      on: {
        setReceiver: {
          target: 'ReadyForPickup',
          actions: 'addReceiver',
          description: 'Sets the receiver, who can collect the item from now on.',
        },
        issueFromStock: {
          guard: 'canBeIssued',
          target: 'ReadyForPickup',
          actions: 'addReceiver',
          description: 'Assigns the stock to a receiver, who can collect it from now on.',
        },
        cancel: { target: 'Cancelled', description: 'Cancels the booking. The item may still be in the locker.' },
      },
    },
    ReadyForPickup: {
      description: 'The item is in the locker and can be collected with the pick up code.',
      on: {
        pickUp: [
          {
            guard: 'staysBooked',
            // The explicit target is needed: xstate forbids an event whose transition has neither target nor action.
            target: 'ReadyForPickup',
            description: 'The item is collected and the locker stays booked for the next collection.',
          },
          { target: 'Completed', description: 'The item is collected, which ends the shipment.' },
        ],
        issueFromStock: {
          guard: 'canBeIssued',
          actions: 'addReceiver',
          description: 'Assigns circular stock, which is in the locker without a receiver, to a receiver.',
        },
        cancel: { target: 'Cancelled', description: 'Cancels the booking. The item may still be in the locker.' },
      },
    },
    Completed: {
      type: 'final',
      description: 'The item was collected, or it became the stock of a circular shipment.',
    },
    Cancelled: { type: 'final', description: 'The booking was cancelled.' },
  },
})
