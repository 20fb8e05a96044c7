// The flows as data, one file each; adding a flow is a file and a line here.
// Whoever shows or starts flows imports this.
import { issue } from './issue.ts'
import { stock } from './stock.ts'

export type { FlowDeclaration, Role, Stage } from './declaration.ts'

export const flows = { issue, stock } as const

export type FlowName = keyof typeof flows
