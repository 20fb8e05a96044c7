import { createOrGetAccount } from '../../accounts/index.ts'
import type { Handler } from '../call.ts'

/** Returns the account with this e-mail address or user name, and creates it when there is none. */
export const CreateOrGetAccount: Handler<'CreateOrGetAccount'> = createOrGetAccount
