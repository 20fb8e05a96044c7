// Faults that an integrator switches on in staging to see what a failure looks like, kept in the process.
// Imported where the service is put together, and by its operations.
export { createFaults, type Faults } from './faults.ts'
export { failingDoors } from './hardware.ts'
