import { changeFaults } from '../../sandbox/index.ts'
import type { Handler } from '../call.ts'

/** Switches the caller's faults on and off; not there in production. */
export const SetSandboxFaults: Handler<'SetSandboxFaults'> = changeFaults
