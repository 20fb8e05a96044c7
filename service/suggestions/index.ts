// Account suggestions: read from an uploaded file in a process of its own, staged, and activated in one transaction.
// Imported by the service's operations, its server and its start.
export { activateUpload, type Comparison } from './activate.ts'
export { type UploadLimits, uploadLimits } from './limits.ts'
export { giveUp, stageUpload } from './staging.ts'
export { sweepUploads } from './sweeping.ts'
export { createTurns, type Turns } from './turns.ts'
export type { StagedUpload, UploadedFile } from './upload.ts'
