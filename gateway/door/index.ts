// The listener of the gateway at which callers start flows by HTTP, with access tokens.
// Only the gateway's own files import this.
export { doorVariables, readDoor } from './environment.ts'
export type { DoorSettings } from './settings.ts'
export { type Door, startDoor } from './start.ts'
