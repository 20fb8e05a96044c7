import { registerCallback } from '../../outbox/index.ts'
import type { Handler } from '../handler.ts'

export const ConfigureCallback: Handler<'ConfigureCallback'> = registerCallback
