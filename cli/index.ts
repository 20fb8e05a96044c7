// The demonstration, for tests and benchmarks.
export type { Played } from './demo/play.ts'
export { playScenes } from './demo/programme.ts'
export { createTimeline } from './demo/timeline.ts'
