// Moves everything out of an embedded store into an empty PostgreSQL store.
// Only the service's own door imports this.
export { type MovedTable, moveStore } from './move.ts'
