import { z } from 'zod'
import { countryCode, languageCode, name, optional, phoneNumber, streetNo, uid, userName } from '../../fields.ts'

/** Characters, as RFC 5321 limits a path, and the part before the @. An address is ASCII, so they are octets. */
const maxLength = 254
const maxLocalPart = 64
/** Dot-separated atoms (RFC 5321 section 4.1.2). zod's own rule rejects most of their special characters. */
const atom = "[A-Za-z0-9_!#$%&'*+\\-/=?^`{|}~]+"
const localPart = `${atom}(?:\\.${atom})*`
/** No two parts can match the same characters, so matching takes linear time. */
const label = '[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*'
/** Letters, or an internationalised label (RFC 5890 section 2.3.2.1). */
const topLevelDomain = '(?:[A-Za-z]{2,}|[Xx][Nn]--[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*)'

/** An e-mail address, in accounts, uploads and the topology file. */
export const emailAddress = z
  .email({
    pattern: new RegExp(`^${localPart}@(?:${label}\\.)+${topLevelDomain}$`),
    error: 'must be an e-mail address',
  })
  .max(maxLength, `must have at most ${maxLength} characters`)
  .refine(
    address => address.lastIndexOf('@') <= maxLocalPart,
    `must have at most ${maxLocalPart} characters before the @`,
  )

const optionalFlag = z.boolean().nullish()

/** A user's permissions in requests. Null and absent flags stay unchanged. */
export const mutationConfig = z
  .object({
    canChangeFirstName: optionalFlag,
    canChangeLastName: optionalFlag,
    canChangeEmailAddress: optionalFlag,
    canChangePhoneNumber: optionalFlag,
    canChangeLanguageCode: optionalFlag,
    canChangeMainPickUpPoint: optionalFlag,
    canChangeAddress: optionalFlag,
    canRemoveAutomatically: optionalFlag,
    canRemoveManually: optionalFlag,
  })
  .meta({ id: 'MutationConfig' })

export type MutationFlag = keyof z.infer<typeof mutationConfig>
export const mutationFlags = Object.keys(mutationConfig.shape) as MutationFlag[]

/** The request of CreateAccount and CreateOrGetAccount. */
export const accountRequest = z.object({
  emailAddress,
  firstName: name,
  lastName: name,
  pickUpPointUid: uid,
  phoneNumber: optional(phoneNumber),
  userName: optional(userName),
  languageCode: optional(languageCode),
  streetName: optional(name),
  streetNo: optional(streetNo),
  mailbox: optional(name),
  city: optional(name),
  countryCode: optional(countryCode),
  mutationConfig: mutationConfig.nullish(),
})

/** An account. If the caller may not manage it, all fields but userUid and canManageUser are null. */
export const accountResponse = z.object({
  userUid: uid.nullable(),
  userName: z.string().nullable(),
  canManageUser: z.boolean(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  emailAddress: z.string().nullable(),
  phoneNumber: z.string().nullable(),
  mainPupUid: z.string().nullable(),
  mainPupName: z.string().nullable(),
  languageCode: z.string().nullable(),
  mailCode: z.string().nullable(),
})

export const isExisting = z.boolean()

export const accountErrors = [
  'InvalidPupUid',
  'EmailAlreadyRegistered',
  'AccessDenied',
  'MutationConfigFailed',
] as const
