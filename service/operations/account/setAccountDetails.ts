import { setAccountDetails } from '../../accounts/index.ts'
import type { Handler } from '../handler.ts'

export const SetAccountDetails: Handler<'SetAccountDetails'> = setAccountDetails
