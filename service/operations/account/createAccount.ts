import { createAccount } from '../../accounts/index.ts'
import type { Handler } from '../handler.ts'

export const CreateAccount: Handler<'CreateAccount'> = createAccount
