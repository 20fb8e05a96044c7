// Flows on a clock that jumps: the engine, the activities and the service in one process, without Temporal and sockets.
// Commands, test cases and tests import this.
export type { Fail as FailingWork, RunResult, StoryEvent } from '#testing/story'
export type { Applied } from './apply.ts'
export type { Delivered, Delivery } from './delivery.ts'
export type { SimulatedStart, SimulationOptions } from './options.ts'
export { formatSimulation } from './report.ts'
export type { SimulatedRun, SimulatedTimer } from './run.ts'
export type { Arrival } from './server.ts'
export { type CancelledAt, type SimulatedStory, type SimulateOptions, simulate } from './simulate.ts'
export { openSimulation, type Simulation } from './simulation.ts'
export type { AnswerWanted, SentNotification, TimeLineEntry } from './timeLine.ts'
export { closeWorlds } from './world.ts'
