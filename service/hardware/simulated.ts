import type { Hardware } from './hardware.ts'

/** Doors that open whenever they are asked to: the sandbox has none. */
export const simulatedHardware: Hardware = { open: async () => true }
