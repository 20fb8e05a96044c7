// The listener of the gateway at which callers start flows by HTTP, with access tokens.
// The gateway's own door imports this.

export { type DoorDocumentOptions, doorDocument } from './document.ts'
export { doorVariables, readDoor } from './environment.ts'
export { type DoorOperation, doorOperations, watchOperation } from './operations.ts'
export { resultSchemas, statusByKind } from './results.ts'
export type { DoorSettings } from './settings.ts'
export { type Declarations, type Door, loadDoorFlows, startDoor } from './start.ts'
