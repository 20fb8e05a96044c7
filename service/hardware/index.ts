// What opens lockers: the port, the adapter that only pretends, and the bounded way to ask either.
// Imported where the service is put together and operations are run, and by the operations as types.
export { createDoors, type OpenDoor } from './doors.ts'
export type { Door, Hardware } from './hardware.ts'
export { openingOnce } from './once.ts'
export { simulatedHardware } from './simulated.ts'
