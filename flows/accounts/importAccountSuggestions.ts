import type { FlowDeclaration } from '../declaration.ts'

export const importAccountSuggestions = {
  name: 'importAccountSuggestions',
  summary: 'A file of account suggestions is fetched and uploaded.',
  input: { url: 'text', reference: { optional: 'text' } },
  steps: [
    {
      name: 'upload',
      summary: 'The file is fetched from its address and uploaded.',
      run: 'importSuggestions',
      with: { url: { from: 'input.url' }, reference: { from: 'input.reference', or: null } },
      keep: {
        reference: 'text',
        totalCount: 'integer',
        importedCount: 'integer',
        existedCount: 'integer',
        removedCount: 'integer',
        errorCount: 'integer',
        dateTime: 'instant',
        errorLogs: { list: { fields: { id: 'integer', message: 'text' } } },
      },
      // An aborted upload changes nothing, and a complete one replaces the file before it.
      undo: 'nothing',
      timeout: '6m',
      window: '1h',
      // Heartbeats deliver a cancellation.
      heartbeat: '10s',
    },
  ],
  outputs: {
    reference: 'upload.reference',
    totalCount: 'upload.totalCount',
    importedCount: 'upload.importedCount',
    existedCount: 'upload.existedCount',
    removedCount: 'upload.removedCount',
    errorCount: 'upload.errorCount',
    dateTime: 'upload.dateTime',
    errorLogs: 'upload.errorLogs',
  },
} as const satisfies FlowDeclaration
