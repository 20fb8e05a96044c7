// Everything in one go: the stack that demo and dev start, and what the demo plays on it.
// Tests and benchmarks import this.
export { createPeople, type People } from './demo/people.ts'
export { playAll } from './demo/programme.ts'
export type { Played } from './demo/scene.ts'
export { createTimeline } from './demo/timeline.ts'
export { type Stack, type StackOptions, startStack } from './stack.ts'
