import * as flows from './all.ts'
import type { FlowDeclaration, PlainDeclaration } from './declaration.ts'
import { plainFlows } from './plain.ts'

const declared: Readonly<Record<string, FlowDeclaration | PlainDeclaration>> = { ...flows, ...plainFlows }

/** The declaration of a flow; undefined when there is none of this name. */
export function findDeclaration(flow: string): FlowDeclaration | PlainDeclaration | undefined {
  return Object.hasOwn(declared, flow) ? declared[flow] : undefined
}
