// The service of the specification: settings, start and stop. It is independent of the orchestrator.
// Imported by the command line, the simulator, test cases on real parts and the tests.
export {
  type AuditedMoment,
  type AuditFilter,
  type AuditLog,
  auditActions,
  type FlowDecision,
  hourlyLimits,
  openAuditLog,
} from './audit/index.ts'
export { type ClientRegistry, type Listing, type NewSecret, openClientRegistry } from './clients/index.ts'
export {
  createKeyRing,
  type EncryptionKey,
  type EncryptionListing,
  type EncryptionRegistry,
  type KeyEncryption,
  openEncryption,
  type Rotation,
} from './encryption/index.ts'
export type { Door, Hardware, HardwareAdapter, Opening } from './hardware/index.ts'
export { type InProcessRequest, type InProcessResponse, type InProcessService, openInProcess } from './inProcess.ts'
export {
  type CallbackFilter,
  openUndelivered,
  type UndeliveredCallback,
  type UndeliveredCallbacks,
} from './outbox/index.ts'
export {
  type LockerRegistry,
  openLockerRegistry,
  type PickUpPointEntry,
  type ServiceChanged,
} from './outOfService/index.ts'
export {
  type Erased,
  type ErasureReport,
  openPersons,
  type PersonExport,
  type PersonSelection,
  type Persons,
  type Staying,
} from './persons/index.ts'
export {
  defaultSettings,
  readDatabaseUrl,
  readKeyEncryption,
  readSettings,
  type Settings,
  selectTopology,
  serviceVariables,
} from './settings.ts'
export { type Service, startService } from './start.ts'
export { type CopiedTable, copyStore, restoreStore, saveStore, TargetNotEmpty, toPath } from './store/copy/index.ts'
export {
  demoTopology,
  listDoors,
  openTopologyRegistry,
  readTopology,
  type Topology,
  type TopologyChange,
} from './topology/index.ts'
