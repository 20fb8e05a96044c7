import type { FlowDeclaration } from 'lockerflow/flows'

/** The flow of deviceSwap.yaml in TypeScript. A worker loads one of the two files. */
export const deviceSwap = {
  name: 'deviceSwap',
  summary: 'The old device comes back while the new one is collected.',
  input: {
    PupUid: 'uid',
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
      name: 'swap',
      summary: 'Both ways go on at once.',
      parallel: [
        {
          name: 'back',
          steps: [
            {
              name: 'backBooking',
              summary: 'A locker for the old device is booked.',
              book: 'CreateLocalShipmentAsIntake',
              request: {
                PupUid: {
                  from: 'input.PupUid',
                },
                FromUserUid: {
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
              name: 'bringBack',
              summary: 'The customer brings the old device.',
              wait: {
                intake: 'ReadyForPickup',
              },
              window: '14d',
              onTimeout: 'ask',
            },
            {
              name: 'takeIn',
              summary: 'The shop takes the old device in.',
              wait: {
                intake: 'Completed',
              },
              window: '2d',
              onTimeout: 'remind',
            },
          ],
        },
        {
          name: 'out',
          steps: [
            {
              name: 'outBooking',
              summary: 'A locker for the new device is booked.',
              book: 'CreateLocalShipmentAsIssue',
              request: {
                PupUid: {
                  from: 'input.PupUid',
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
              name: 'placeNew',
              summary: 'The shop places the new device.',
              wait: {
                issue: 'ReadyForPickup',
              },
              window: '48h',
              onTimeout: 'remind',
            },
            {
              name: 'takeNew',
              summary: 'The customer takes the new device.',
              wait: {
                issue: 'Completed',
              },
              window: '3d',
              onTimeout: 'ask',
            },
          ],
        },
      ],
      window: '21d',
      onTimeout: {
        goTo: 'settle',
      },
      onError: {
        ShipmentCancelled: {
          goTo: 'settle',
        },
      },
    },
    {
      name: 'settle',
      summary: 'A person settles what did not happen.',
      when: {
        'swap.first': {
          present: false,
        },
      },
      ask: {
        settled: {
          note: 'text',
        },
      },
      who: 'staff',
      window: null,
    },
  ],
} as const satisfies FlowDeclaration
