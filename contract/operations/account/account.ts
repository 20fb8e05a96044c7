import { z } from 'zod'
import { countryCode, emailAddress, languageCode, name, phoneNumber, streetNo, uid } from '../../fields.ts'

const permission = z.boolean().nullish()

/** What a user may change or have removed; null and absent leave a permission as it is. */
export const mutationConfig = z.object({
  canChangeFirstName: permission,
  canChangeLastName: permission,
  canChangeEmailAddress: permission,
  canChangePhoneNumber: permission,
  canChangeLanguageCode: permission,
  canChangeMainPickUpPoint: permission,
  canChangeAddress: permission,
  canRemoveAutomatically: permission,
  canRemoveManually: permission,
})

export type MutationFlag = keyof z.infer<typeof mutationConfig>
export const mutationFlags = Object.keys(mutationConfig.shape) as MutationFlag[]

/** The request of CreateAccount and CreateOrGetAccount. */
export const accountRequest = z.object({
  emailAddress,
  firstName: name,
  lastName: name,
  pickUpPointUid: uid,
  phoneNumber: phoneNumber.nullish(),
  userName: name.nullish(),
  languageCode: languageCode.nullish(),
  streetName: name.nullish(),
  streetNo: streetNo.nullish(),
  mailbox: name.nullish(),
  city: name.nullish(),
  countryCode: countryCode.nullish(),
  mutationConfig: mutationConfig.nullish(),
})

/** What one may see of an account; all but userUid and canManageUser null when one may not manage it. */
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
