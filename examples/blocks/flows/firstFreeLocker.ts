import type { FlowDeclaration } from 'lockerflow/flows'

/** The flow of firstFreeLocker.yaml in TypeScript. A worker loads one of the two files. */
export const firstFreeLocker = {
  name: 'firstFreeLocker',
  summary: 'An item goes to the first of some pick up points that has a free locker.',
  input: {
    places: {
      list: {
        fields: {
          PupUid: 'uid',
        },
      },
    },
    userUid: 'uid',
    size: {
      fields: {
        width: 'integer',
        height: 'integer',
        length: 'integer',
      },
    },
  },
  steps: [
    {
      name: 'tries',
      summary: 'The pick up points are tried in their order.',
      forEach: 'input.places',
      item: 'place',
      atMost: 3,
      atOnce: 1,
      onItemError: 'continue',
      until: 'first',
      steps: [
        {
          name: 'booking',
          summary: 'A locker is booked, if one is free.',
          book: 'CreateLocalShipmentAsIssue',
          request: {
            PupUid: {
              from: 'place.PupUid',
            },
            ToUserUid: {
              from: 'input.userUid',
            },
            Dimension: {
              from: 'input.size',
            },
            AllowLargerLockers: true,
            AllowOverflowLockers: false,
          },
        },
        {
          name: 'dropOff',
          summary: 'The item is placed in the locker.',
          wait: {
            issue: 'ReadyForPickup',
          },
          window: '48h',
          onTimeout: 'cancel',
        },
        {
          name: 'pickUp',
          summary: 'The user collects the item.',
          wait: {
            issue: 'Completed',
          },
          window: '3d',
          onTimeout: 'ask',
        },
      ],
    },
    {
      name: 'nowhere',
      summary: 'No pick up point had a free locker, so a person finds another way.',
      when: {
        'tries.completed': 0,
      },
      ask: {
        done: {
          how: 'text',
        },
      },
      who: 'staff',
      window: null,
    },
  ],
  outputs: {
    delivered: 'tries.completed',
  },
} as const satisfies FlowDeclaration
