import { accountFlows } from './accounts/index.ts'
import * as flows from './booking/index.ts'
import type { AccountFlowDeclaration, FlowDeclaration } from './declaration.ts'

export { accountFlows, flows }

export type FlowName = keyof typeof flows
export type AccountFlowName = keyof typeof accountFlows
export type AnyFlowName = FlowName | AccountFlowName

const declared: Readonly<Record<string, FlowDeclaration | AccountFlowDeclaration>> = { ...flows, ...accountFlows }

/** The declaration of a flow; undefined for an unknown name. */
export function findDeclaration(flow: string): FlowDeclaration | AccountFlowDeclaration | undefined {
  return Object.hasOwn(declared, flow) ? declared[flow] : undefined
}
