import type { OperationName } from '#contract'
import { person } from '../accounts.ts'
import type { Site } from '../site.ts'
import { csv, upload } from '../uploads.ts'
import { after, type Checks, checksOf, type Fault, nothing, wrong } from './checks.ts'

const unknown = wrong('InvalidUserUid', { userUid: nothing })
const ada = ({ users }: Site) => ({ userUid: users.ada })

const free = { emailAddress: 'new@home.example' }
const nobodyYet = { ...person, ...free, userName: 'new', mutationConfig: {} }
const unread = wrong('InvalidRequest', { firstName: '' })
const place = wrong('InvalidPupUid', { pickUpPointUid: nothing })

/** Creates an account, which must not collide with those of the previous checks. */
const configFails: Fault = {
  code: 'MutationConfigFailed',
  fields: { emailAddress: 'left@home.example', userName: 'left' },
  about: 'mutationConfig',
  prepare: ({ world }) => world.call('SetSandboxFaults', { mutationConfigFails: true }),
}

/** A user name of an account of globex. */
const foreign: Fault = {
  code: 'AccessDenied',
  fields: { ...free, userName: 'foreign' },
  prepare({ world }) {
    const ask = { ...person, emailAddress: 'foreign@away.example', userName: 'foreign', pickUpPointUid: 'harbour' }
    return world.call('CreateAccount', ask, 'globex')
  },
}

const named = wrong('UserNameAlreadyRegistered', { ...free, userName: 'ben@home.example' })
const taken = wrong('EmailAlreadyRegistered', { emailAddress: 'ada@home.example', userName: 'ben@home.example' })
const creates = (operation: OperationName, as: string, ...faults: Fault[]): Checks =>
  checksOf({ operation, as, sound: () => nobodyYet, faults: [unread, place, ...faults, configFails] })

/** A valid upload with the given changes; undefined leaves a part out. */
async function send({ world }: Site, fields: object) {
  const { name, file, ...rest }: { name: string; file: string | undefined; data?: string | undefined } = {
    ...{ name: 'a.csv', file: csv([]), data: '{}' },
    ...fields,
  }
  return upload(world.service, name, file, rest)
}

export const checksOfAccounts: readonly Checks[] = [
  creates('CreateAccount', 'taken', taken, named),
  creates('CreateAccount', 'foreign', foreign),
  creates('CreateOrGetAccount', 'taken', taken),
  creates('CreateOrGetAccount', 'foreign', foreign),
  checksOf({
    operation: 'SetAccountDetails',
    sound: site => ({ ...ada(site), emailAddress: 'next@home.example' }),
    faults: [
      wrong('InvalidRequest', { phoneNumber: '06' }),
      unknown,
      wrong('EmailAlreadyRegistered', { emailAddress: 'ben@home.example' }),
    ],
  }),
  checksOf({
    operation: 'SetAccountPickUpPoint',
    sound: site => ({ ...ada(site), pickUpPointUid: 'reserve' }),
    faults: [
      wrong('InvalidRequest', { pickUpPointUid: '' }),
      unknown,
      wrong('InvalidPupUid', { pickUpPointUid: nothing }),
    ],
  }),
  checksOf({
    operation: 'SetAccountMutationConfig',
    sound: ada,
    faults: [wrong('InvalidRequest', { canChangeAddress: 'yes' }), unknown],
  }),
  checksOf({
    operation: 'GetAccountMutationConfig',
    sound: ada,
    faults: [wrong('InvalidRequest', { userUid: 1 }), unknown],
  }),
  checksOf({
    operation: 'RemoveAccount',
    sound: ada,
    faults: [wrong('InvalidRequest', { userUid: 1 }), unknown, after('AccountInUse', 'Issue')],
  }),
  checksOf({ operation: 'GetAccount', sound: ada, faults: [wrong('InvalidRequest', { userUid: 1 })] }),
  checksOf({
    operation: 'GetAccountSuggestions',
    sound: () => ({}),
    faults: [wrong('InvalidRequest', { pageSize: 501 })],
  }),
  {
    operation: 'UploadAccountSuggestions',
    send,
    faults: [
      wrong('NoRequestData', { data: undefined }),
      { ...wrong('InvalidRequest', { data: '{' }), about: 'JSON' },
      wrong('NoRequestFile', { file: undefined }),
      wrong('MissingFile', { file: '' }),
      wrong('InvalidImportType', { name: 'a.pdf' }),
      wrong('InvalidHeader', { file: 'EmailAddress' }),
    ],
  },
]
