// The workflows. This is the entry of the bundle that workers run: every flow is interpreted, by its workflow type.
// Nobody imports it but by path; messages.ts and flows/ are the doors for everybody else.
export { interpret as default } from './interpreter.ts'
