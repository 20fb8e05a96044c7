import type { Rule } from '../../rule.ts'

/** What docs/decisions.md says of uploaded suggestions. */
export const suggestionDecisions: readonly Rule[] = [
  {
    section: 'Suggestions: Order of checks',
    rule: 'Token, type, data, its JSON, file, its type, header, rows.',
    heldBy: ['test/service/suggestionsRequest.test.ts > the first check that fails is the answer > %s: %i %s'],
  },
  {
    section: 'Suggestions: Type of the file',
    rule: 'By content and by name, which have to say the same.',
    heldBy: [
      'test/service/suggestionsFiles.test.ts > a file is refused as > %s: %s',
      'test/service/suggestionsRequest.test.ts > these are taken > a file without a name is told by what it holds',
    ],
  },
  {
    section: 'Suggestions: CSV',
    rule: '; between the cells, quoted where needed; UTF-8, or else Latin-1.',
    heldBy: [
      'test/service/suggestionsFiles.test.ts > these hold the same row > %s',
      'test/service/suggestionsFiles.test.ts > a quoted cell can have the separator, a quotation mark and a line end',
    ],
  },
  {
    section: 'Suggestions: Spreadsheet',
    rule: 'The first sheet, by stored values.',
    heldBy: [
      'test/service/suggestionsFiles.test.ts > these hold the same row > %s',
      'test/service/suggestionsFiles.test.ts > numbers of a sheet are read as they are stored',
    ],
  },
  {
    section: 'Suggestions: Header',
    rule: 'All seven columns, in any casing and order; unknown ones are ignored.',
    heldBy: [
      'test/service/suggestionsFiles.test.ts > these hold the same row > %s',
      'test/service/suggestionsFiles.test.ts > a file is refused as > %s: %s',
    ],
  },
  {
    section: 'Suggestions: Rows',
    rule: 'Empty ones are skipped; EmailAddress is needed; cells that may have slipped are an error.',
    heldBy: ['test/service/suggestionsFiles.test.ts > a row is refused for'],
  },
  {
    section: 'Suggestions: errorLogs',
    rule: 'One entry for each refused row, with all that is wrong, by the number of the row in the file.',
    heldBy: [
      'test/service/suggestionsFiles.test.ts > a row is refused for > several mistakes, all of which are told',
      'test/service/suggestionsFiles.test.ts > a row is refused for > %s',
    ],
  },
  {
    section: 'Suggestions: PickUpPoint',
    rule: "Uid or name of one of the caller's own.",
    heldBy: [
      'test/service/suggestions.test.ts > tenants > name pick up points of their own only, and cannot tell the others from unknown ones',
    ],
  },
  {
    section: 'Suggestions: Two rows with one address',
    rule: 'The later good one wins.',
    heldBy: [
      'test/service/suggestionsFiles.test.ts > a row is refused for > an address that a later good row has, in any casing',
    ],
  },
  {
    section: 'Suggestions: Counts',
    rule: 'What came, stayed and went, against the upload before.',
    heldBy: [
      'test/service/suggestions.test.ts > an upload > replaces the one before and counts what came, stayed and went',
    ],
  },
  {
    section: 'Suggestions: Reference',
    rule: 'The name of the file when left out or empty, cut to 100 characters; file when it has none.',
    heldBy: [
      'test/service/suggestions.test.ts > an upload > with the data %s and the file name %s has the reference %s',
    ],
  },
  {
    section: 'Suggestions: Active upload',
    rule: 'One per tenant, replaced in one transaction; one that fails or is given up leaves nothing.',
    heldBy: [
      'test/service/suggestions.test.ts > an upload > that is refused leaves the one before',
      'test/service/suggestionsRequest.test.ts > an upload that is given up leaves nothing',
      'test/service/suggestions.test.ts > an upload > at the same time as another: one of them is active, whole, and the second compares itself with it',
    ],
  },
  {
    section: 'Suggestions: Limits',
    rule: 'Of the body, rows, cells, what is unpacked, time and memory.',
    heldBy: [
      'test/service/suggestionsLimits.test.ts > a bomb',
      'test/service/suggestionsLimits.test.ts > more rows than are taken are refused',
      'test/service/suggestionsLimits.test.ts > a file that takes too long to read is refused',
      'test/service/suggestionsLimits.test.ts > a file that takes too much memory to read is refused, and the service lives on',
      'test/service/suggestionsLimits.test.ts > more files at once than have room to wait are turned away',
    ],
  },
  {
    section: 'Suggestions: GetAccountSuggestions',
    rule: 'Every word of searchText, in any casing; userUid where the caller manages the account.',
    heldBy: ['test/service/suggestions.test.ts > GetAccountSuggestions'],
  },
  {
    section: 'Suggestions: Client',
    rule: 'A file of at most 10 MiB, within a time; never repeated by itself.',
    heldBy: [
      'test/api/upload.test.ts > an upload',
      'test/conformance/client.test.ts > the client calls every operation, but for the upload, which has a call of its own',
    ],
  },
]
