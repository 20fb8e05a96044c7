import { activateUpload, type StagedUpload } from '../../suggestions/index.ts'
import { type Handler, Refusal } from '../call.ts'

/** Longest reference; a file name that stands in for one is cut to it. */
const longestReference = 100

/**
 * Makes the uploaded suggestions the active ones of the caller. totalCount: rows with anything in them; errorCount: those
 * that were refused; the others were in the upload before (existed) or not (imported).
 */
export const UploadAccountSuggestions: Handler<'UploadAccountSuggestions'> = async (call, request) => {
  const { upload } = call
  if (upload === undefined) throw new Refusal('NoRequestFile', 'The request has no part named file.')
  const reference = request.reference || nameOf(upload)
  const counts = await activateUpload(call, upload, reference)
  return {
    reference,
    totalCount: upload.lineCount + upload.errorLogs.length,
    ...counts,
    errorCount: upload.errorLogs.length,
    dateTime: new Date(call.now).toISOString(),
    errorLogs: [...upload.errorLogs],
  }
}

/** Without the character NUL, which not every store can keep. */
function nameOf({ fileName = '' }: StagedUpload): string {
  return fileName.replaceAll('\0', '').slice(0, longestReference) || 'file'
}
