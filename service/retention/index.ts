// Retention: how long rows stay, and the purge of those that are older.
// Imported by the service's start, settings and HTTP side, and by the removal of tenants.
export { createRunBatch } from './purge.ts'
export { startRetention } from './rounds.ts'
export { defaultRetention, type RetentionTimes, retentionVariables, toRetentionTimes } from './settings.ts'
