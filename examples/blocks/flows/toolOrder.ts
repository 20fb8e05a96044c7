import type { FlowDeclaration } from 'lockerflow/flows'

/** The flow of toolOrder.yaml in TypeScript. A worker loads one of the two files. */
export const toolOrder = {
  name: 'toolOrder',
  summary: 'Each tool of an order goes into a locker of its own.',
  input: {
    PupUid: 'uid',
    userUid: 'uid',
    tools: {
      list: {
        fields: {
          sku: 'text',
          size: {
            fields: {
              width: 'integer',
              height: 'integer',
              length: 'integer',
            },
          },
        },
      },
    },
  },
  steps: [
    {
      name: 'tools',
      summary: 'The tools are brought and fetched, each in its own time.',
      forEach: 'input.tools',
      item: 'tool',
      key: 'sku',
      atMost: 20,
      onItemError: 'continue',
      steps: [
        {
          name: 'booking',
          summary: 'A locker for the tool is booked.',
          book: 'CreateLocalShipmentAsIssue',
          request: {
            PupUid: {
              from: 'input.PupUid',
            },
            ToUserUid: {
              from: 'input.userUid',
            },
            Dimension: {
              from: 'tool.size',
            },
            AllowLargerLockers: true,
            AllowOverflowLockers: false,
          },
        },
        {
          name: 'put',
          summary: 'The store places the tool.',
          wait: {
            issue: 'ReadyForPickup',
          },
          window: '48h',
          onTimeout: 'cancel',
        },
        {
          name: 'fetch',
          summary: 'The mechanic fetches the tool.',
          wait: {
            issue: 'Completed',
          },
          window: '3d',
          onTimeout: 'ask',
        },
      ],
    },
  ],
  outputs: {
    delivered: 'tools.completed',
    failed: 'tools.failed',
  },
} as const satisfies FlowDeclaration
