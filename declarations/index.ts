// Declarations of flows before they run: their form, loading and checks. Workers, clients and commands import this.
export { type CheckOptions, checkFlows } from './check.ts'
export { type FaultCode, type FaultEntry, faultCodes } from './codes.ts'
export { describeFault, type Fault } from './fault.ts'
export { declarationSchema } from './form/declaration.ts'
export { type LoadedFlows, type LoadOptions, loadFlows } from './load.ts'
export { type Edge, edgesOf } from './ways/edges.ts'
export type { Cause } from './ways/explore.ts'
