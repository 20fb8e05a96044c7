import type { Rule } from '../../rule.ts'

/** The decisions on encrypted histories. */
export const encryptionDecisions: readonly Rule[] = [
  {
    section: 'D-190 The form of an encrypted payload',
    rule: 'Payloads have the form of the samples of Temporal: encoding, key id, nonce, ciphertext, tag.',
    heldBy: [
      'test/codec/encryptionCodec.test.ts > an encrypted payload has the documented form: encoding, key id, nonce, ciphertext and tag',
      'test/codec/histories.test.ts > every payload of a history is encrypted: input, activities, signals, updates, summaries and result',
    ],
  },
  {
    section: 'D-191 Switching the codec off',
    rule: 'Without a current key payloads are written as they are, and encrypted ones stay readable.',
    heldBy: [
      'test/codec/encryptionCodec.test.ts > without a current key payloads are written as they are, and encrypted ones stay readable',
    ],
  },
  {
    section: 'D-192 Production encrypts',
    rule: 'Production requires keys, unless the codec is switched off.',
    heldBy: ['test/codec/environment.test.ts > %s is refused', 'test/codec/environment.test.ts > the ring in %s'],
  },
  {
    section: 'D-193 A payload that cannot be decrypted',
    rule: 'A wrong key fails the workflow task with an error that names the setting, and never the flow.',
    heldBy: [
      'test/codec/histories.test.ts > a worker with a wrong key names the setting, and fails the workflow task instead of the flow',
      'test/codec/encryptionCodec.test.ts > a payload with %s is an error that names the setting',
    ],
  },
  {
    section: 'D-194 Failures',
    rule: 'Failures are encrypted, and their codes stay readable.',
    heldBy: ['test/codec/histories.test.ts > the failure of a flow is encrypted, and its caller reads it'],
  },
  {
    section: 'D-196 A key per person',
    rule: 'RemoveAccount makes names and addresses in old histories unreadable, and flows replay and end.',
    heldBy: [
      'test/codec/personal.test.ts > RemoveAccount makes names and addresses in old histories unreadable, and the histories still replay',
      'test/codec/personal.test.ts > a running flow whose account is removed ends with the refusal of the service',
      'test/codec/personal.test.ts > RemoveAccount makes the fields of payloads unreadable that name the account by its uid alone',
      'test/codec/personal.test.ts > a flow whose declaration checks personal fields replays after they are removed',
      'test/declarations/wrong.test.ts > a declaration in a file has the one fault > of %s',
      'test/service/accounts/personalKeys.test.ts > RemoveAccount forgets the keys of the account, and refuses one for a flow that is still under way',
      'test/service/accounts/personalKeys.test.ts > a store of its own is created by its first user, and forgets by the uid',
      'test/service/accounts/personalKeys.test.ts > each person of a payload has a key, and only the fields of the one who is forgotten are gone',
      'test/service/accounts/personalKeys.test.ts > a forgotten key is read from the cache for a minute at most',
      'test/activities/plan/input.test.ts > a request with removed fields is refused, since the service would store them',
    ],
  },
  {
    section: 'D-197 The store of personal keys',
    rule: 'A worker in production names the store, or switches personal keys off.',
    heldBy: [
      'test/codec/environment.test.ts > a worker in production needs a store of personal keys, or off',
      'test/codec/environment.test.ts > the store of personal keys follows the settings of TLS',
    ],
  },
  {
    section: 'D-397 The keys of an address',
    rule: 'The end of an account forgets the keys of its uid and of its address, and no others.',
    heldBy: [
      'test/codec/personal.test.ts > RemoveAccount of another tenant makes the start of a flow unreadable, whose responses never had the address',
      'test/service/accounts/personalKeys.test.ts > RemoveAccount forgets the keys of its address, also those with no uid or with a wrong one',
      'test/service/accounts/personalKeys.test.ts > %s with another address leaves the keys of the old one with the account',
      'test/service/accounts/personalKeys.test.ts > an address of two uids has a key for each, and %s forgets both',
      'test/service/persons/persons.test.ts > an erasure forgets the key that has the address alone, and counts it again when it is repeated',
    ],
  },
  {
    section: 'D-398 Keys that no account got',
    rule: 'After 30 days such a key is deleted, and not read.',
    heldBy: [
      'test/service/retention/retention.test.ts > keys of persons that no account got are deleted after 30 days',
      'test/service/accounts/personalKeys.test.ts > after 30 days a key that no account got is not read, and its address gets another one',
      'test/service/accounts/personalKeys.test.ts > after 30 days a key that no account got is deleted by the next use of the store: %s',
    ],
  },
  {
    section: 'D-458 Large bodies of the codec server',
    rule: 'A large body is converted in batches, and one with too many objects is refused.',
    heldBy: [
      'test/codecServer/server.test.ts > a body of 14 MB does not hold up other requests',
      'test/codecServer/server.test.ts > a body with more objects than a page of a history has is refused',
    ],
  },
  {
    section: 'D-440 Errors of the codec server',
    rule: 'Every error of the codec server has the form of the service, and a line in the log.',
    heldBy: [
      'test/codecServer/errors.test.ts > a request that is not answered has an error of the listener, and a line in the log > %s',
      'test/codecServer/errors.test.ts > a defect is 500 without its text, and an error in the log',
    ],
  },
  {
    section: 'D-367 A process that encrypts without the keys of persons',
    rule: 'Starts over HTTP and by the command have the keys of persons, and without them refuse personal fields.',
    heldBy: [
      'test/codec/personal.test.ts > a start > over HTTP is forgotten too',
      'test/codec/personal.test.ts > a start > by the command is forgotten too',
      'test/codec/personal.test.ts > a start > over HTTP without the keys is refused with the name of the setting, and that of a booking is not',
      'test/codec/personal.test.ts > a start > by the command without the keys is refused with the name of the setting',
      'test/codec/environment.test.ts > without a word on the store, personal fields are not encrypted, and the error has no value of them',
    ],
  },
  {
    section: 'D-195 The codec server',
    rule: 'Callers sign in, come from a known origin, name the namespace, and only decode.',
    heldBy: [
      'test/codecServer/server.test.ts > %s is refused, and the response asks to sign in',
      'test/codecServer/server.test.ts > %s is refused',
      'test/codecServer/server.test.ts > sign-in with tokens > refuses other tokens',
      'test/codecServer/server.test.ts > the Web UI in a browser > of another origin gets no permission',
    ],
  },
]
