// The audit log: who did what, by ids. Entries are committed with what they record.
// Imported by the service's own folders, and by the service's door for the command.
export { type AuditAction, auditActions, hourlyLimits } from './actions.ts'
export { readLateness } from './collections.ts'
export type { AuditedMoment, AuditFilter } from './entries.ts'
export { type AuditLog, type FlowDecision, openAuditLog } from './open.ts'
export { type AuditEntry, auditCall, recordAudit, recordBounded } from './record.ts'
