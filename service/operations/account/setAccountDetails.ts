import { setDetails } from '../../accounts/index.ts'
import type { Handler } from '../call.ts'

/** Changes what is given of an account; names go together, and so do the parts of an address. */
export const SetAccountDetails: Handler<'SetAccountDetails'> = setDetails
