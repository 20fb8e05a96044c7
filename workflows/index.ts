// The workflows: one line a flow, by the name that starters use. This is the entry of the bundle that workers run.
// Nobody imports it but by path; messages.ts and flows/ are the doors for everybody else.
import { flows } from './flows/index.ts'
import { interpret } from './interpreter.ts'

export { unknownFlow as default } from './unknown.ts'

export const issue = interpret(flows.issue.name)
export const stock = interpret(flows.stock.name)
