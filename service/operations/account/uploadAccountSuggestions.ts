import { OperationError } from '../../operationError.ts'
import { activateUpload, type StagedUpload } from '../../suggestions/index.ts'
import type { Handler } from '../handler.ts'

/** Maximum length of a reference, in characters. A file name that replaces a missing one is truncated to it. */
const maxReferenceLength = 100

/**
 * Activates the uploaded suggestions for the caller's tenant. `totalCount` counts rows that are not empty and `errorCount`
 * the rejected ones. The others existed in the previous upload or are imported.
 */
export const UploadAccountSuggestions: Handler<'UploadAccountSuggestions'> = async (call, request) => {
  const { upload } = call
  if (upload === undefined) throw new OperationError('NoRequestFile', 'The request has no part named file.')
  const reference = request.reference || toReference(upload)
  const counts = await activateUpload(call, upload, reference)
  return {
    reference,
    totalCount: upload.lineCount + upload.errorCount,
    ...counts,
    errorCount: upload.errorCount,
    dateTime: new Date(call.now).toISOString(),
    errorLogs: [...upload.errorLogs],
  }
}

/** Removes the character NUL, which PostgreSQL cannot store. */
function toReference({ fileName = '' }: StagedUpload): string {
  const characters = [...fileName.replaceAll('\0', '')]
  return characters.slice(0, maxReferenceLength).join('') || 'file'
}
