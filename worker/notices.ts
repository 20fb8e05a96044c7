import { z } from 'zod'
import type { NoticeSettings } from '#activities'
import { formFault } from '#addresses'
import { type environmentVariable, SettingsFault, signatureKey, type Values, type Variable } from '#contract/settings'

/** Where flows send their notices; left out, they send none. */
export const noticeVariables = {
  LOCKERFLOW_NOTICES_URL: {
    meaning:
      'Where flows send their notices: stage reached, overdue, ended; left out, they send none. https and a public host; staging allows more.',
    example: 'https://planning.example/notices',
    schema: z.string().max(2_000, 'has to be at most 2000 characters').optional(),
  },
  LOCKERFLOW_NOTICES_KEY: {
    meaning: 'Key of the signature of notices, needed with their address.',
    example: 'choose-32-random-characters-here',
    schema: signatureKey.optional(),
  },
} as const satisfies Record<string, Variable>

/** Both or neither: what is sent unsigned cannot be believed. */
export function noticesIn(values: Values<typeof noticeVariables & typeof environmentVariable>): {
  notices?: NoticeSettings
} {
  const { LOCKERFLOW_NOTICES_URL: url, LOCKERFLOW_NOTICES_KEY: key } = values
  if (url === undefined && key === undefined) return {}
  if (url === undefined) throw lone('LOCKERFLOW_NOTICES_URL', 'LOCKERFLOW_NOTICES_KEY')
  if (key === undefined) throw lone('LOCKERFLOW_NOTICES_KEY', 'LOCKERFLOW_NOTICES_URL')
  // Of its form only: a receiver that cannot be resolved now must not keep flows from running.
  const fault = formFault(url, values.LOCKERFLOW_ENVIRONMENT === 'staging')
  if (fault === undefined) return { notices: { url, key } }
  throw faultOf('LOCKERFLOW_NOTICES_URL', fault.replace(/^url /, ''))
}

function lone(missing: keyof typeof noticeVariables, given: string): SettingsFault {
  return faultOf(missing, `is missing, and ${given} is there: notices need both`)
}

function faultOf(name: keyof typeof noticeVariables, wrong: string): SettingsFault {
  return new SettingsFault(name, noticeVariables[name], wrong)
}
