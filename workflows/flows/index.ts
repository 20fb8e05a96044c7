// The flows as data, one file each; adding a flow is a file and a line here.
// Whoever shows or starts flows imports this.
import { intake } from './intake.ts'
import { intakeAndCircularStock } from './intakeAndCircularStock.ts'
import { issue } from './issue.ts'
import { issueAndSwapIntake } from './issueAndSwapIntake.ts'
import { issueFromStock } from './issueFromStock.ts'
import { issueFromStockAndSubsequentIntakeAndCircularStock } from './issueFromStockAndSubsequentIntakeAndCircularStock.ts'
import { issueFromStockAndSwapIntake } from './issueFromStockAndSwapIntake.ts'
import { stock } from './stock.ts'
import { stockAfterSwapIntake } from './stockAfterSwapIntake.ts'

export { type FlowDeclaration, given, type Role, type RoleLink, type Stage } from './declaration.ts'

export const flows = {
  issue,
  issueAndSwapIntake,
  stock,
  stockAfterSwapIntake,
  issueFromStock,
  issueFromStockAndSwapIntake,
  intake,
  intakeAndCircularStock,
  issueFromStockAndSubsequentIntakeAndCircularStock,
} as const

export type FlowName = keyof typeof flows
