// Retention: how long rows stay, and the purge of those that are older.
// Imported by the service's start, settings and HTTP side, and by the removal of tenants.
export { createRunBatch } from './purge.ts'
export { type RetentionTimes, startRetention } from './rounds.ts'
