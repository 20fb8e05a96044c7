// The stack that demo and dev start, and the demonstration that runs on it.
// The testing package, tests and benchmarks import this.
export { type Clock, createClock, type MovableClock } from './clock.ts'
export type { Played } from './demo/play.ts'
export { playScenes } from './demo/programme.ts'
export { createTimeline } from './demo/timeline.ts'
export { createOpeners, type Openers } from './people.ts'
export { findHistories, readHistory } from './replay/files.ts'
export { type Stack, type StackOptions, startStack, type TemporalPlace } from './stack/index.ts'
