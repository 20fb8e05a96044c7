import { z } from 'zod'
import { uid } from '../../fields.ts'

/** Null means unset. */
const nullableFlag = z.boolean().nullable()

/** Response of SetAccountMutationConfig and GetAccountMutationConfig. */
export const mutationConfigResponse = z.object({
  userUid: uid,
  canChangeFirstName: nullableFlag,
  canChangeLastName: nullableFlag,
  canChangeEmailAddress: nullableFlag,
  canChangePhoneNumber: nullableFlag,
  canChangeLanguageCode: nullableFlag,
  canChangeMainPickUpPoint: nullableFlag,
  canChangeAddress: nullableFlag,
  canRemoveAutomatically: nullableFlag,
  canRemoveManually: nullableFlag,
})
