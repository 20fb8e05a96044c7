// The entry `flows` of lockerflow: declares and checks custom flows, and describes the built-in ones.

export { type FlowName, flows, type RunCall, type UndoRun } from '#flows'
export {
  type ActivitiesFor,
  checkFlows,
  describeFault,
  type Fault,
  flowDiagram,
  loadFlows,
} from '#flows/check'
export type { FlowDeclaration } from '#flows/declaration'
