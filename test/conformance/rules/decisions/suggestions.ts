import type { Rule } from '../../rule.ts'

/** The decisions on uploaded suggestions. */
export const suggestionDecisions: readonly Rule[] = [
  {
    section: 'D-050 Order of checks',
    rule: 'The checks run in this order: token, content type, data, its JSON, file, its type, header, rows.',
    heldBy: [
      'test/service/suggestions/uploadRequest.test.ts > the first failing check decides the response > %s: %i %s',
    ],
  },
  {
    section: 'D-051 Type of the file',
    rule: 'Content and name determine the type, and must agree.',
    heldBy: [
      'test/service/suggestions/readFile.test.ts > a file is refused as > %s: %s',
      'test/service/suggestions/uploadRequest.test.ts > these are accepted > the content decides the type of a file without a name',
    ],
  },
  {
    section: 'D-052 CSV',
    rule: 'Cells are separated by ; and quoted where necessary. The encoding is UTF-8, or else Latin-1.',
    heldBy: [
      'test/service/suggestions/readFile.test.ts > these contain the same row > %s',
      'test/service/suggestions/readFile.test.ts > a quoted cell can have the separator, a quotation mark and a line end',
    ],
  },
  {
    section: 'D-053 Spreadsheet',
    rule: 'The first sheet is read, by its stored values. Relations lead to it, and names of parts do not matter.',
    heldBy: [
      'test/service/suggestions/readFile.test.ts > the parts of an .xlsx have any names',
      'test/service/suggestions/readFile.test.ts > these contain the same row > %s',
      'test/service/suggestions/readFile.test.ts > numbers of a sheet are read as they are stored',
    ],
  },
  {
    section: 'D-054 Header',
    rule: 'All seven columns are required, in any casing and order. Unknown columns are ignored.',
    heldBy: [
      'test/service/suggestions/readFile.test.ts > these contain the same row > %s',
      'test/service/suggestions/readFile.test.ts > a file is refused as > %s: %s',
    ],
  },
  {
    section: 'D-055 Rows',
    rule: 'Empty rows are skipped. EmailAddress is required. Rows with surplus cells or error values are an error.',
    heldBy: [
      'test/service/suggestions/readFile.test.ts > a row is refused for',
      'test/service/suggestions/readFile.test.ts > a cell with an error value',
    ],
  },
  {
    section: 'D-056 errorLogs',
    rule: 'Each rejected row has one entry with its number in the file and all its faults.',
    heldBy: [
      'test/service/suggestions/readFile.test.ts > a row is refused for > several errors, all of which are reported',
      'test/service/suggestions/readFile.test.ts > a row is refused for > %s',
      'test/service/suggestions/limits.test.ts > of many refused rows the first ten thousand are listed, and all are counted',
    ],
  },
  {
    section: 'D-057 PickUpPoint',
    rule: "It is the uid or the name of one of the caller's pick up points.",
    heldBy: [
      'test/service/suggestions/upload.test.ts > tenants > can name their own pick up points only, and cannot distinguish others from unknown ones',
    ],
  },
  {
    section: 'D-058 Two rows with one address',
    rule: 'The last valid row of an e-mail address wins.',
    heldBy: [
      'test/service/suggestions/readFile.test.ts > a row is refused for > an address that a later good row has, in any casing',
    ],
  },
  {
    section: 'D-059 Counts',
    rule: 'The counts are the rows added, kept and removed since the previous upload.',
    heldBy: [
      'test/service/suggestions/upload.test.ts > an upload > replaces the previous one and counts the rows added, kept and removed',
    ],
  },
  {
    section: 'D-060 Reference',
    rule: 'Without one, it is the name of the file, cut to 100 characters, or "file".',
    heldBy: [
      'test/service/suggestions/upload.test.ts > an upload > with the data %s and the file name %s has the reference %s',
    ],
  },
  {
    section: 'D-061 One active upload',
    rule: 'A tenant has one upload, replaced in one transaction. A failed or aborted upload changes nothing.',
    heldBy: [
      'test/service/suggestions/upload.test.ts > an upload > that is refused keeps the previous one',
      'test/service/suggestions/uploadRequest.test.ts > an aborted upload leaves nothing',
      'test/service/suggestions/upload.test.ts > an upload > concurrent with another: one is active in full, and the second is compared with it',
    ],
  },
  {
    section: 'D-061 One active upload',
    rule: 'An expired upload is either activated with all of its rows, or refused and deleted.',
    heldBy: [
      'test/service/suggestions/sweep.test.ts > an upload whose rows are being deleted is not activated, and the previous one stays',
      'test/service/suggestions/sweep.test.ts > an upload that was deleted is not activated, and the previous one stays',
      'test/service/suggestions/sweep.test.ts > an expired upload that is activated before its deletion begins keeps its rows',
      'test/service/suggestions/sweep.test.ts > a sweep waits for the activation of an expired upload, and leaves its rows',
      'test/service/suggestions/sweep.test.ts > an upload that was deleted between two of its slices leaves no words',
    ],
  },
  {
    section: 'D-062 Limits',
    rule: 'Limits exist for the body, rows, cells, unpacked bytes, time and memory.',
    heldBy: [
      'test/service/suggestions/limits.test.ts > a bomb',
      'test/service/suggestions/limits.test.ts > too many rows are refused',
      'test/service/suggestions/limits.test.ts > a file that takes too long to read is refused',
      'test/service/suggestions/limits.test.ts > a standstill of the service does not count as time to read a file',
      'test/service/suggestions/limits.test.ts > a file that takes too much memory to read is refused, and the service lives on',
      'test/service/suggestions/uploadRequest.test.ts > the first failing check decides the response > %s: %i %s',
    ],
  },
  {
    section: 'D-130 Turns of uploads',
    rule: 'A tenant has one upload at a time, and others do not wait for it. Bodies have a time limit and leave no file.',
    heldBy: [
      'test/service/suggestions/turns.test.ts > an upload over the limit of its tenant is refused before its body is read',
      'test/service/suggestions/turns.test.ts > an upload that stands still holds up its own tenant only, until it ends',
      'test/service/suggestions/turns.test.ts > an upload that stands still ends at the time limit',
      'test/service/suggestions/turns.test.ts > many uploads of one tenant wait, and one of another tenant does not wait for them',
      'test/service/suggestions/turns.test.ts > a body is stored in a file without a name, which ends with the upload',
      'test/service/suggestions/limits.test.ts > more concurrent files than the queue holds are rejected',
    ],
  },
  {
    section: 'D-317 Spreadsheets as streams',
    rule: 'An .xlsx file is read piece by piece, without entities, and what is not a sheet in order is refused.',
    heldBy: ['test/service/suggestions/xlsx.test.ts', 'test/service/suggestions/limits.test.ts > a bomb'],
  },
  {
    section: 'D-063 GetAccountSuggestions',
    rule: 'A suggestion has a word that begins with each word of searchText, in any casing. It has a userUid if the caller manages the account.',
    heldBy: ['test/service/suggestions/upload.test.ts > GetAccountSuggestions'],
  },
  {
    section: 'D-131 Searches',
    rule: 'Words are found by their beginning. A search has at most eight words and considers at most 2,000 suggestions.',
    heldBy: [
      'test/service/suggestions/words.test.ts > the words of a suggestion > %j: %j',
      'test/service/suggestions/search.test.ts > a word is found by its beginning > %j: %j',
      'test/service/suggestions/search.test.ts > a search has at most eight words',
      'test/service/suggestions/search.test.ts > a search of words that many suggestions have',
      'test/service/suggestions/search.test.ts > total and rows are of one upload while others replace it',
    ],
  },
  {
    section: 'D-064 Client',
    rule: 'The client uploads a file of at most 10 MiB with a timeout, and never retries.',
    heldBy: [
      'test/api/upload.test.ts > an upload',
      'test/conformance/client.test.ts > the client calls every operation except the upload, which has its own method',
    ],
  },
  {
    section: 'D-439 Names of files in a form',
    rule: 'Encoded quotes and line breaks in the name of a file are decoded.',
    heldBy: [
      'test/service/suggestions/upload.test.ts > an upload > with the data %s and the file name %s has the reference %s',
    ],
  },
]
