// Faults that an integrator switches on in staging to see how a failure looks.
// Imported by the HTTP side of the service, its accounts and its operations.
export { changeFaults, failDoors, readFaults } from './faults.ts'
