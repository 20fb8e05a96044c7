// Copies an embedded store into an empty PostgreSQL store, or into a file and back.
// Only the service's own door imports this.
export { type CopiedTable, copyStore } from './copy.ts'
export { restoreStore, saveStore } from './snapshot.ts'
