import { forgetPerson } from '#platform/codec'
import type { VerbAction } from '../command/verb.ts'

/** Forgets the keys of a person, for a service other than our own, whose RemoveAccount does not (D-196). */
export const forget: VerbAction = {
  async run({ values: [userUid = ''], output, environment }) {
    const keys = await forgetPerson(userUid, environment)
    output.result({ keys }, () => [`${keys} ${keys === 1 ? 'key' : 'keys'} of the account ${userUid} forgotten`])
  },
}
