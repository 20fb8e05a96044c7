// Locker hardware: the port, its simulation, adapters over HTTP, doors with a time limit, and the reported states.
// Imported by the ground files, the operations, the HTTP side, the metrics and the topology of the service.
export { type AdapterClient, createAdapterClient } from './adapterClient.ts'
export { type AdapterHealth, createAdapterHealth } from './adapterHealth.ts'
export { createContacts } from './contacts.ts'
export { createDoorReports, type DoorReports, type EventRate } from './doorReports.ts'
export { countDoorStates, settleFailedOpening } from './doorStates.ts'
export { createOpenDoor, type OpenDoor } from './doors.ts'
export {
  type Door,
  findAdapter,
  type Hardware,
  type HardwareAdapter,
  type Opening,
  simulatedHardware,
} from './hardware.ts'
