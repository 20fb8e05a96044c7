import type { ServiceProfile } from '#contract/terms'

export interface AccountOrder {
  /** Of CreateOrGetAccount, checked. */
  request: Record<string, unknown>
  profile: ServiceProfile
  idempotencyKey: string
}

/** What CreateOrGetAccount answers; all but the named fields is passed on as it is. */
export interface Account {
  userUid: string | null
  canManageUser: boolean
  mainPupUid: string | null
  mainPupName: string | null
  [field: string]: unknown
}

export interface MadeAccount {
  account: Account
  /** False: the account is there, and its mutation configuration could not be applied. */
  configured: boolean
}

export interface PickUpPointOrder {
  userUid: string
  pickUpPointUid: string
}

export interface MutationConfigOrder {
  userUid: string
  mutationConfig: Record<string, unknown>
}
