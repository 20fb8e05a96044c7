import { createAccount } from '../../accounts/index.ts'
import type { Handler } from '../call.ts'

/** Creates an account; fails when one exists by e-mail address or user name. */
export const CreateAccount: Handler<'CreateAccount'> = createAccount
