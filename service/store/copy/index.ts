// Copies an embedded store into an empty PostgreSQL store, or into a file and back.
// Only service/index.ts imports this.

export { toPath } from '../sqlite/open.ts'
export { type CopiedTable, copyStore, TargetNotEmpty } from './copy.ts'
export { restoreStore, saveStore } from './snapshot.ts'
