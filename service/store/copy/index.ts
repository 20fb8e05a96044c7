// Copies an embedded store into an empty PostgreSQL store.
// Only the service's own door imports this.
export { type CopiedTable, copyStore } from './copy.ts'
