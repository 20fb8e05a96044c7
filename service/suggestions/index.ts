// Account suggestions: read from an uploaded file in a child process, staged, and activated in one transaction.
// Imported by the service's operations, HTTP side, retention and start.
export { activateUpload } from './activate.ts'
export { type FoundSuggestion, listSuggestions, searchSuggestions } from './search.ts'
export { abandonUpload, stageUpload } from './staging.ts'
export { expireUploadsOfRemovedTenants, sweepUploads } from './sweep.ts'
export { isDiskError, openUnnamedFile } from './unnamedFile.ts'
export { type StagedUpload, type UploadedFile, type UploadLimits, uploadLimits } from './upload.ts'
export { toSearchWords } from './words.ts'
