import { z } from 'zod'
import { emailAddress } from '../../emailAddress.ts'
import { countryCode, languageCode, name, optional, phoneNumber, streetNo, uid, userName } from '../../fields.ts'

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
  'UserNameAlreadyRegistered',
  'AccessDenied',
  'MutationConfigFailed',
] as const
