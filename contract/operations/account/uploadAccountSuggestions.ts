import { z } from 'zod'
import { reference } from '../../fields.ts'
import { uploadOperation } from '../../operation.ts'

const errorLog = z
  .object({
    /** Row number in the file; the header is row 1. */
    id: z.int(),
    message: z.string(),
  })
  .meta({ id: 'ErrorLog' })

export const UploadAccountSuggestions = uploadOperation({
  name: 'UploadAccountSuggestions',
  path: '/v1/Account/UploadAccountSuggestions',
  summary: 'Replaces the account suggestions with those of an .xls, .xlsx or .csv file.',
  effect: 'change',
  request: z.object({ reference }),
  response: z.object({
    reference: z.string(),
    totalCount: z.int(),
    importedCount: z.int(),
    existedCount: z.int(),
    removedCount: z.int(),
    errorCount: z.int(),
    dateTime: z.iso.datetime(),
    errorLogs: z.array(errorLog),
  }),
  errors: ['NoRequestData', 'NoRequestFile', 'MissingFile', 'InvalidImportType', 'InvalidHeader'],
})
