// Faults that an integrator switches on in staging to see what a failure looks like.
// Imported where operations are run, and by the operations.
export { changeFaults, faultsInForce } from './faults.ts'
export { failingDoors } from './hardware.ts'
