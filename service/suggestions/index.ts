// Account suggestions: read from an uploaded file in a child process, staged, and activated in one transaction.
// Imported by the service's operations, HTTP side and start.
export { activateUpload, type UploadComparison } from './activate.ts'
export { createSemaphore, createSemaphores } from './semaphore.ts'
export { abandonUpload, stageUpload, sweepUploads } from './staging.ts'
export { isDiskError, openUnnamedFile } from './unnamedFile.ts'
export { type StagedUpload, type UploadedFile, type UploadLimits, uploadLimits } from './upload.ts'
