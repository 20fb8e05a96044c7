import type { Rule } from '../rule.ts'

const section = 'UploadAccountSuggestions'
const upload = 'test/service/suggestions.test.ts > an upload'
const files = 'test/service/suggestionsFiles.test.ts'

export const suggestions: readonly Rule[] = [
  {
    section,
    rule: 'The request is multipart/form-data with the mandatory parts data and file.',
    heldBy: [
      'test/service/suggestionsRequest.test.ts > the first check that fails is the answer > %s: %i %s',
      'test/service/suggestionsRequest.test.ts > these are taken > %s',
      'test/service/suggestionsRequest.test.ts > the document describes the parts',
    ],
  },
  {
    section,
    rule: 'data is a JSON object with an optional reference, which otherwise is the name of the file.',
    heldBy: [`${upload} > with the data %s and the file name %s has the reference %s`],
  },
  {
    section,
    rule: 'file is an .xls or .xlsx spreadsheet, or a CSV with ; between the cells.',
    heldBy: [`${files} > these hold the same row > %s`, `${files} > a file is refused as > %s: %s`],
  },
  {
    section,
    rule: 'The header has the seven columns EmailAddress to PickUpPoint.',
    heldBy: [`${files} > these hold the same row > %s`, `${files} > a file is refused as > %s: %s`],
  },
  {
    section,
    rule: 'Only the most recent upload is active; earlier ones expire.',
    heldBy: [
      `${upload} > replaces the one before and counts what came, stayed and went`,
      `${upload} > leaves no row of the one before in the store`,
    ],
  },
  {
    section,
    rule: 'The data appears as suggestions in the search for accounts.',
    heldBy: ['test/service/suggestions.test.ts > GetAccountSuggestions > finds by %j: %j'],
  },
  { section, rule: 'An upload makes no account.', heldBy: [`${upload} > creates no account`] },
  {
    section,
    rule: 'Rows are told apart by e-mail address.',
    heldBy: [
      `${files} > a row is refused for > an address that a later good row has, in any casing`,
      `${upload} > replaces the one before and counts what came, stayed and went`,
    ],
  },
  {
    section,
    rule: 'A phone number that is not international is told in errorLogs.',
    heldBy: [`${files} > a row is refused for > %s`],
  },
  {
    section,
    rule: 'The answer has reference, five counts, the time in UTC, and errorLogs of id and message.',
    heldBy: [
      'test/conformance/inside.test.ts > %s: the fields of the %s inside of %s',
      'test/conformance/interface.test.ts > $name answers the fields of the specification, in its casing',
      `${upload} > replaces the one before and counts what came, stayed and went`,
      'test/conformance/times.test.ts > dateTime of an upload is ISO 8601 in UTC',
    ],
  },
]
