import type { ErrorCode } from '#contract/terms'
import { anyText, type Model, type Suggested } from '../model/model.ts'
import { refuse } from '../model/refusal.ts'
import { managedBy, manages, tenantNamed } from '../model/who.ts'
import { byEmail } from './accounts.ts'
import { pageOf } from './listing.ts'
import type { Caller, Rules } from './rule.ts'

/** The columns of a file, in its order. */
export const columns = [
  'EmailAddress',
  'PhoneNumber',
  'LanguageCode',
  'FirstName',
  'LastName',
  'Remarks',
  'PickUpPoint',
] as const

/** An uploaded file: its rows by column, and its fault if the whole file is invalid. */
export interface File {
  readonly name: string
  readonly rows: readonly Suggested[]
  readonly fault: (typeof fileFaults)[number] | null
}

/** The error codes of an invalid file or request. */
export const fileFaults = [
  'NoRequestData',
  'NoRequestFile',
  'MissingFile',
  'InvalidImportType',
  'InvalidHeader',
] as const
fileFaults satisfies readonly ErrorCode[]

export interface Upload {
  readonly reference?: string | null | undefined
  readonly file: File
}

const keyOf = ({ emailAddress }: Suggested) => emailAddress.toLowerCase()

function isGood({ emailAddress, phoneNumber, pickUpPoint }: Suggested, tenant: string): boolean {
  const points = managedBy(tenant).flatMap(({ pupUid, name }) => [pupUid, name])
  const isPhone = phoneNumber === null || /^(\+|00)[1-9]\d{6,14}$/.test(phoneNumber)
  return emailAddress.includes('@') && isPhone && (pickUpPoint === null || points.includes(pickUpPoint))
}

/** Replaces the suggestions of a tenant. The texts of errors are the service's choice. */
export function upload(model: Model, { reference, file }: Upload, { tenant }: Caller) {
  if (file.fault !== null) refuse(file.fault)
  const good = file.rows.filter(row => isGood(row, tenant))
  const active = good.filter((row, index) => !good.slice(index + 1).some(later => keyOf(later) === keyOf(row)))
  const before = tenantNamed(model, tenant).suggestions.map(keyOf)
  const now = active.map(keyOf)
  tenantNamed(model, tenant).suggestions = active
  const wrong = file.rows.flatMap((row, index) => (active.includes(row) ? [] : [index + 2]))
  return {
    reference: reference || file.name,
    totalCount: file.rows.length,
    importedCount: now.filter(key => !before.includes(key)).length,
    existedCount: now.filter(key => before.includes(key)).length,
    removedCount: before.filter(key => !now.includes(key)).length,
    errorCount: wrong.length,
    dateTime: new Date(model.now).toISOString(),
    errorLogs: wrong.map(id => ({ id, message: anyText })),
  }
}

export const suggestions: Rules<'GetAccountSuggestions'> = {
  GetAccountSuggestions(model, request, { tenant }) {
    const words = (request.searchText ?? '').toLowerCase().split(/\s+/).filter(Boolean)
    const found = tenantNamed(model, tenant).suggestions.filter(({ firstName, lastName, emailAddress }) => {
      const texts = [firstName, lastName, emailAddress].map(text => (text ?? '').toLowerCase())
      const begins = (text: string, word: string) => new RegExp(`(^|[^\\p{L}\\p{N}])${word}`, 'u').test(text)
      return words.every(word => texts.some(text => begins(text, word)))
    })
    const items = found.map(row => {
      const account = byEmail(model, row.emailAddress)
      return { ...row, userUid: account && manages(tenant, account) ? account.name : null }
    })
    return pageOf(items, request)
  },
}
