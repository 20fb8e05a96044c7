// Everything in one go: the stack that demo and dev start.
// Tests and benchmarks import this.
export { type Stack, type StackOptions, startStack } from './stack.ts'
