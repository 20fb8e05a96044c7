import type { AccountFlowDeclaration } from '../declaration.ts'

export const importAccountSuggestions = {
  name: 'importAccountSuggestions',
  summary: 'A file of account suggestions is fetched and uploaded.',
  operation: 'UploadAccountSuggestions',
  extraFields: ['url'],
  bookingWindow: '1h',
  steps: [{ name: 'upload', summary: 'The file is fetched from its address and uploaded.' }],
} as const satisfies AccountFlowDeclaration

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
