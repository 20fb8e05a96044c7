// Locker hardware: the port, its simulation, and doors with a time limit.
// Imported by the ground files and the HTTP side of the service.
export { createDoors, type OpenDoor } from './doors.ts'
export { type Door, type Hardware, simulatedHardware } from './hardware.ts'
