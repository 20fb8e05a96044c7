import { z } from 'zod'
import { uid } from '../../fields.ts'

/** Null: nobody has said. */
const flag = z.boolean().nullable()

/** The mutation configuration of an account, as SetAccountMutationConfig and GetAccountMutationConfig answer it. */
export const mutationConfigResponse = z.object({
  userUid: uid,
  canChangeFirstName: flag,
  canChangeLastName: flag,
  canChangeEmailAddress: flag,
  canChangePhoneNumber: flag,
  canChangeLanguageCode: flag,
  canChangeMainPickUpPoint: flag,
  canChangeAddress: flag,
  canRemoveAutomatically: flag,
  canRemoveManually: flag,
})
