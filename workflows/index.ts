// The workflows: one line a flow, by the name that starters use. This is the entry of the bundle that workers run.
// Nobody imports it but by path; messages.ts and flows/ are the doors for everybody else.
import { flows } from './flows/index.ts'
import { interpret } from './interpreter.ts'

export { unknownFlow as default } from './unknown.ts'

export const issue = interpret(flows.issue.name)
export const issueAndSwapIntake = interpret(flows.issueAndSwapIntake.name)
export const stock = interpret(flows.stock.name)
export const stockAfterSwapIntake = interpret(flows.stockAfterSwapIntake.name)
export const issueFromStock = interpret(flows.issueFromStock.name)
export const issueFromStockAndSwapIntake = interpret(flows.issueFromStockAndSwapIntake.name)
export const intake = interpret(flows.intake.name)
export const intakeAndCircularStock = interpret(flows.intakeAndCircularStock.name)
export const issueFromStockAndSubsequentIntakeAndCircularStock = interpret(
  flows.issueFromStockAndSubsequentIntakeAndCircularStock.name,
)
