import type { FlowDeclaration } from '#flows/declaration'

/** A flow of a team's own, which asks and books nothing. */
export const approval = {
  name: 'approval',
  summary: 'A clerk approves a refund.',
  input: {},
  steps: [
    {
      name: 'check',
      summary: 'The clerk approves or not.',
      ask: { approve: {} },
      who: 'clerk',
      window: '1h',
      onTimeout: 'remind',
    },
  ],
} as const satisfies FlowDeclaration
