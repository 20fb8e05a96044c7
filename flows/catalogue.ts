import { importAccountSuggestions } from './accounts/importAccountSuggestions.ts'
import { accountFlows } from './accounts/index.ts'
import { onboardAccount } from './accounts/onboardAccount.ts'
import * as flows from './booking/index.ts'
import type { AccountFlowDeclaration, FlowDeclaration } from './declaration.ts'

export { accountFlows, flows }

/** Every flow as a list of steps. It replaces both lists when the interpreter runs such plans. */
export const allFlows = { ...flows, onboardAccount, importAccountSuggestions } as const

export type FlowName = keyof typeof flows
export type AccountFlowName = keyof typeof accountFlows
export type AnyFlowName = FlowName | AccountFlowName

const declared: Readonly<Record<string, FlowDeclaration | AccountFlowDeclaration>> = { ...flows, ...accountFlows }

/** The declaration of a flow; undefined for an unknown name. */
export function findDeclaration(flow: string): FlowDeclaration | AccountFlowDeclaration | undefined {
  return Object.hasOwn(declared, flow) ? declared[flow] : undefined
}
