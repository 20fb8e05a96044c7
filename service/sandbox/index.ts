// Faults that an integrator switches on in staging to see how a failure looks.
// Imported by the service's accounts and operations.
export { changeFaults, readFaults } from './faults.ts'
