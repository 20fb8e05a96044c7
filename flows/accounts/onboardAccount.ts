import type { AccountFlowDeclaration } from '../declaration.ts'

export const onboardAccount = {
  name: 'onboardAccount',
  summary: 'An account is created or found, and configured.',
  operation: 'CreateOrGetAccount',
  extraFields: [],
  bookingWindow: '1h',
  steps: [
    { name: 'account', summary: 'The account is created or found.' },
    { name: 'pickUpPoint', summary: 'Its main pick up point is set.', onlyIf: 'it is another one' },
    { name: 'mutationConfig', summary: 'The fields that its user may change are set.', onlyIf: 'MutationConfigFailed' },
  ],
} as const satisfies AccountFlowDeclaration
