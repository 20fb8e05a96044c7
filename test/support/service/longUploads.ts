import { type UploadLimits, uploadLimits } from '../../../service/suggestions/index.ts'

/** The limits of the service, except for the time to read a file: a busy machine leaves little to that process. */
export const longUploads: UploadLimits = { ...uploadLimits, timeout: 240_000 }
