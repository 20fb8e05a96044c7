import type { PlainDeclaration } from './declaration.ts'

export const onboardAccount = {
  name: 'onboardAccount',
  summary: 'An account is made, or found, and set up.',
  operation: 'CreateOrGetAccount',
  adds: [],
  booking: '1h',
  steps: [
    { name: 'account', summary: 'The account is made, or found.' },
    { name: 'pickUpPoint', summary: 'Its main pick up point is set.', onlyIf: 'another one' },
    { name: 'mutationConfig', summary: 'What its user may change is set.', onlyIf: 'MutationConfigFailed' },
  ],
} as const satisfies PlainDeclaration
