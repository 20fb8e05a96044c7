import type { AccountFlowDeclaration } from '../declaration.ts'

export const importAccountSuggestions = {
  name: 'importAccountSuggestions',
  summary: 'A file of account suggestions is fetched and uploaded.',
  operation: 'UploadAccountSuggestions',
  extraFields: ['url'],
  bookingWindow: '1h',
  steps: [{ name: 'upload', summary: 'The file is fetched from its address and uploaded.' }],
} as const satisfies AccountFlowDeclaration
