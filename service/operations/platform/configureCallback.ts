import { registerCallback } from '../../outbox/index.ts'
import type { Handler } from '../call.ts'

/** Where the caller's status callbacks go and how they are signed. */
export const ConfigureCallback: Handler<'ConfigureCallback'> = registerCallback
