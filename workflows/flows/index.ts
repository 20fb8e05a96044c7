// The flows as data, one file each; adding a flow is a file and a line in all.ts.
// Whoever shows or starts flows imports this.
import type * as all from './all.ts'
import type { plainFlows } from './plain.ts'

export * as flows from './all.ts'
export {
  type FlowDeclaration,
  given,
  type Order,
  type PlainDeclaration,
  type Role,
  type RoleLink,
  type Stage,
  type Step,
} from './declaration.ts'
export { findDeclaration } from './finding.ts'
export { type Lifetime, lifetimeOf } from './lifetime.ts'
export { plainFlows } from './plain.ts'

export type PlainFlowName = keyof typeof plainFlows
export type FlowName = keyof typeof all
export type AnyFlowName = FlowName | PlainFlowName
