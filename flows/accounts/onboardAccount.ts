import type { FlowDeclaration } from '../declaration.ts'

export const onboardAccount = {
  name: 'onboardAccount',
  summary: 'An account is created or found, and configured.',
  steps: [
    {
      name: 'account',
      summary: 'The account is created or found.',
      call: 'CreateOrGetAccount',
      // The account exists, and the last step repeats its configuration.
      onError: { MutationConfigFailed: 'continue' },
    },
    {
      name: 'pickUpPoint',
      summary: 'Its main pick up point is set.',
      // An account of another manager is only named, and cannot be changed.
      when: { 'account.canManageUser': true, 'account.mainPupUid': { not: { from: 'input.pickUpPointUid' } } },
      call: 'SetAccountPickUpPoint',
      request: { userUid: { from: 'account.userUid' }, pickUpPointUid: { from: 'input.pickUpPointUid' } },
      keep: ['pupUid'],
      // A half-configured account would go unnoticed.
      window: '7d',
    },
    {
      name: 'mutationConfig',
      summary: 'The fields that its user may change are set.',
      when: { 'account.canManageUser': true, 'account.error': 'MutationConfigFailed' },
      call: 'SetAccountMutationConfig',
      request: { merge: [{ from: 'input.mutationConfig' }, { userUid: { from: 'account.userUid' } }] },
      keep: [],
      window: '7d',
    },
  ],
  outputs: {
    userUid: 'account.userUid',
    userName: 'account.userName',
    canManageUser: 'account.canManageUser',
    firstName: 'account.firstName',
    lastName: 'account.lastName',
    emailAddress: 'account.emailAddress',
    phoneNumber: 'account.phoneNumber',
    mainPupUid: { first: ['pickUpPoint.pupUid', 'account.mainPupUid'] },
    // The response of the second step does not contain the name.
    mainPupName: { from: 'account.mainPupName', when: { 'pickUpPoint.pupUid': { present: false } } },
    languageCode: 'account.languageCode',
    mailCode: 'account.mailCode',
    isExisting: 'account.isExisting',
  },
} as const satisfies FlowDeclaration
