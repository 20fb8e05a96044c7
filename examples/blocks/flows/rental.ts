import type { FlowDeclaration } from 'lockerflow/flows'

/** The flow of rental.yaml in TypeScript. A worker loads one of the two files. */
export const rental = {
  name: 'rental',
  summary: 'A tool is rented by a locker, extended, reminded of, and brought back.',
  input: {
    PupUid: 'uid',
    renterUid: 'uid',
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
      name: 'deposit',
      summary: 'The renter pays the deposit.',
      ask: {
        paid: {
          cents: 'integer',
        },
        declined: {},
      },
      who: 'desk',
      window: '1d',
      onTimeout: 'cancel',
    },
    {
      name: 'decision',
      summary: 'Only who pays gets the tool.',
      switch: [
        {
          when: {
            'deposit.answer': 'paid',
          },
          steps: [
            {
              name: 'outBooking',
              summary: 'A locker for the tool is booked.',
              book: 'CreateLocalShipmentAsIssue',
              request: {
                PupUid: {
                  from: 'input.PupUid',
                },
                ToUserUid: {
                  from: 'input.renterUid',
                },
                Dimension: {
                  from: 'input.size',
                },
                AllowLargerLockers: true,
                AllowOverflowLockers: false,
              },
            },
            {
              name: 'put',
              summary: 'The shop places the tool.',
              wait: {
                issue: 'ReadyForPickup',
              },
              window: '1d',
              onTimeout: 'remind',
            },
            {
              name: 'take',
              summary: 'The renter takes the tool.',
              wait: {
                issue: 'Completed',
              },
              window: '3d',
              onTimeout: 'cancel',
            },
            {
              name: 'rent',
              summary: 'The tool is rented.',
              parallel: [
                {
                  name: 'terms',
                  steps: [
                    {
                      name: 'extensions',
                      summary: 'The renter may extend three times.',
                      repeat: {
                        atMost: 4,
                      },
                      until: {
                        not: {
                          'term.answer': 'extend',
                        },
                      },
                      steps: [
                        {
                          name: 'term',
                          summary: 'The renter brings the tool back, or extends.',
                          ask: {
                            back: {},
                            extend: {},
                          },
                          who: 'renter',
                          window: '14d',
                          onTimeout: {
                            goTo: 'done',
                          },
                        },
                      ],
                    },
                  ],
                },
                {
                  name: 'reminders',
                  steps: [
                    {
                      name: 'daily',
                      summary: 'A reminder goes out each day.',
                      repeat: {
                        atMost: 60,
                        every: '24h',
                      },
                      steps: [
                        {
                          name: 'remind',
                          summary: 'The renter is reminded.',
                          run: 'sendReminder',
                          with: {
                            day: {
                              from: 'daily.round',
                            },
                          },
                          keep: {},
                          undo: 'nothing',
                          timeout: '30s',
                        },
                      ],
                    },
                    {
                      name: 'lost',
                      summary: 'Staff look for the tool.',
                      ask: {
                        found: {},
                      },
                      who: 'staff',
                      window: null,
                    },
                  ],
                },
              ],
              until: 'first',
            },
            {
              name: 'backBooking',
              summary: 'A locker for the return is booked.',
              book: 'CreateLocalShipmentAsIntake',
              request: {
                PupUid: {
                  from: 'input.PupUid',
                },
                FromUserUid: {
                  from: 'input.renterUid',
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
              summary: 'The renter brings the tool back.',
              wait: {
                intake: 'ReadyForPickup',
              },
              window: '2d',
              onTimeout: 'ask',
            },
            {
              name: 'takeIn',
              summary: 'The shop takes the tool in.',
              wait: {
                intake: 'Completed',
              },
              window: '1d',
              onTimeout: 'remind',
            },
            {
              name: 'damage',
              summary: 'The shop says whether the tool is damaged.',
              ask: {
                none: {},
                damaged: {
                  cents: 'integer',
                },
              },
              who: 'staff',
              window: null,
            },
            {
              name: 'restock',
              summary: 'An intact tool goes back on the shelf.',
              when: {
                'damage.answer': 'none',
              },
              run: 'restockTool',
              with: {},
              keep: {},
              undo: 'nothing',
              timeout: '30s',
            },
          ],
        },
      ],
    },
  ],
  outputs: {
    damage: 'damage.cents',
  },
} as const satisfies FlowDeclaration
