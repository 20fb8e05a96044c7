import { type UploadLimits, uploadLimits } from '../../../service/suggestions/index.ts'

/** The limits of the service, except for the time to read a file: a busy machine leaves little to that process. */
export const longUploads: UploadLimits = { ...uploadLimits, timeout: 240_000 }

/** Files are read in the process of the service: starting another one takes a quarter of a second of processor time. */
export const cheapUploads: UploadLimits = { ...uploadLimits, ownProcess: false }
