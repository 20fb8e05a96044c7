import type { Branch, FlowDeclaration, Step } from '#flows/declaration'
import { branchNames } from './bare/bookings.ts'

/** Three branches, each of which books a locker and waits until its item is collected. */
export const threeBranches = {
  name: 'threeBranches',
  summary: 'Three items are issued beside each other.',
  input: { PupUid: 'uid', ToUserUid: 'uid' },
  steps: [
    {
      name: 'all',
      summary: 'Each item is issued in a branch of its own.',
      parallel: branchNames.map(
        (name): Branch<Step> => ({
          name,
          steps: [
            {
              name: `${name}Booking`,
              summary: 'A locker is booked.',
              book: 'CreateLocalShipmentAsIssue',
              request: {
                PupUid: { from: 'input.PupUid' },
                ToUserUid: { from: 'input.ToUserUid' },
                AllowLargerLockers: true,
                AllowOverflowLockers: false,
                Dimension: { width: 30, height: 20, length: 40 },
              },
              as: { issue: name },
            },
            {
              name: `${name}Taken`,
              summary: 'The user collects the item.',
              wait: { [name]: 'Completed' },
              window: '7d',
              onTimeout: 'remind',
              leaves: 'The item is in the locker.',
            },
          ],
        }),
      ),
    },
  ],
} satisfies FlowDeclaration
