import { type Examples, uids } from './example.ts'

const file = [
  'EmailAddress;PhoneNumber;LanguageCode;FirstName;LastName;Remarks;PickUpPoint',
  'robin.jansen@acme.example;+31612345678;nl;Robin;Jansen;Second floor;pup-1',
  'noor.visser@acme.example;;nl;Noor;Visser;;Station Square',
].join('\r\n')

/** Uploading and searching suggestions. */
export const suggestions: Examples<'UploadAccountSuggestions' | 'GetAccountSuggestions'> = {
  UploadAccountSuggestions: {
    request: { reference: 'staff list, March' },
    file,
    response: {
      reference: 'staff list, March',
      totalCount: 2,
      importedCount: 2,
      existedCount: 0,
      removedCount: 0,
      errorCount: 0,
      dateTime: '2026-03-02T09:10:31.402Z',
      errorLogs: [],
    },
  },
  GetAccountSuggestions: {
    request: { searchText: 'robin', pageNo: 1, pageSize: 20 },
    response: {
      items: [
        {
          emailAddress: 'robin.jansen@acme.example',
          phoneNumber: '+31612345678',
          languageCode: 'nl',
          firstName: 'Robin',
          lastName: 'Jansen',
          remarks: 'Second floor',
          pickUpPoint: 'pup-1',
          userUid: uids.user,
        },
      ],
      pageNo: 1,
      pageSize: 20,
      totalItems: 1,
      totalPages: 1,
    },
  },
}
