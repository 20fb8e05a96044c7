import { createOrGetAccount } from '../../accounts/index.ts'
import type { Handler } from '../handler.ts'

export const CreateOrGetAccount: Handler<'CreateOrGetAccount'> = createOrGetAccount
