import type { Rule } from '../rule.ts'

const section = 'UploadAccountSuggestions'
const upload = 'test/service/suggestions/upload.test.ts > an upload'
const files = 'test/service/suggestions/readFile.test.ts'

export const suggestions: readonly Rule[] = [
  {
    section,
    rule: 'The request is multipart/form-data with the mandatory parts data and file.',
    heldBy: [
      'test/service/suggestions/uploadRequest.test.ts > the first failing check decides the response > %s: %i %s',
      'test/service/suggestions/uploadRequest.test.ts > these are accepted > %s',
      'test/service/suggestions/uploadRequest.test.ts > the document describes the parts',
    ],
  },
  {
    section,
    rule: 'data is a JSON object with an optional reference. The default is the name of the file.',
    heldBy: [`${upload} > with the data %s and the file name %s has the reference %s`],
  },
  {
    section,
    rule: 'file is an .xls or .xlsx spreadsheet, or a CSV with cells separated by ;.',
    heldBy: [`${files} > these contain the same row > %s`, `${files} > a file is refused as > %s: %s`],
  },
  {
    section,
    rule: 'The header has the seven columns EmailAddress to PickUpPoint.',
    heldBy: [`${files} > these contain the same row > %s`, `${files} > a file is refused as > %s: %s`],
  },
  {
    section,
    rule: 'Only the most recent upload is active; earlier ones expire.',
    heldBy: [
      `${upload} > replaces the previous one and counts the rows added, kept and removed`,
      `${upload} > leaves no row of the previous one in the store`,
    ],
  },
  {
    section,
    rule: 'The data appears as suggestions in the search for accounts.',
    heldBy: ['test/service/suggestions/upload.test.ts > GetAccountSuggestions > finds by %j: %j'],
  },
  { section, rule: 'An upload creates no account.', heldBy: [`${upload} > creates no account`] },
  {
    section,
    rule: 'Rows are identified by e-mail address.',
    heldBy: [
      `${files} > a row is refused for > an address that a later good row has, in any casing`,
      `${upload} > replaces the previous one and counts the rows added, kept and removed`,
    ],
  },
  {
    section,
    rule: 'errorLogs reports a phone number that is not international.',
    heldBy: [`${files} > a row is refused for > %s`],
  },
  {
    section,
    rule: 'The response has reference, five counts, the time in UTC, and errorLogs with id and message.',
    heldBy: [
      'test/conformance/inside.test.ts > %s: the fields of the %s in %s',
      'test/conformance/interface.test.ts > $name returns the fields of the specification, in its casing',
      `${upload} > replaces the previous one and counts the rows added, kept and removed`,
      'test/conformance/times.test.ts > dateTime of an upload is ISO 8601 in UTC',
    ],
  },
]
