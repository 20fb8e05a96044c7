import { changeFaults } from '../../sandbox/index.ts'
import type { Handler } from '../handler.ts'

export const SetSandboxFaults: Handler<'SetSandboxFaults'> = changeFaults
