// Declarations of flows before they run: their form, loading and checks. Worker, gateway, test cases and commands import this.
export type { ActivitiesFor } from './activityTypes.ts'
export { type CheckOptions, checkFlows } from './check.ts'
export { type FaultCode, type FaultEntry, faultCodes } from './codes.ts'
export { type DiagramOptions, describeWhen, flowDiagram } from './diagram.ts'
export { edgeDiagram } from './edgeDiagram.ts'
export {
  cutQuoted,
  describeFault,
  type Fault,
  type FieldPath,
  type Finding,
  type Place,
  rejectFaults,
  suggest,
  toPath,
  valueAt,
} from './fault.ts'
export { flowSvg } from './flowSvg.ts'
export { findPrototypes } from './form/check.ts'
export { declarationSchema } from './form/declaration.ts'
export { type LoadedFlows, type LoadOptions, loadFlows } from './load.ts'
export { endsFlow } from './model/flow.ts'
export { readDocuments } from './read/document.ts'
export { findFiles } from './read/patterns.ts'
export { readText } from './read/text.ts'
export { runDiagram } from './runDiagram.ts'
export { escapeXml, runSvg } from './runSvg.ts'
export { edgesOf } from './ways/edges.ts'
export { edgesOn } from './ways/taken.ts'
