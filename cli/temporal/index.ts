// The Temporal server of a developer's machine: finds, downloads or builds the command, and starts it.
// The commands, the tests and the benchmarks import this.
export { cachedFolder } from './cache.ts'
export { type FindOptions, findTemporalCommand } from './command.ts'
export { goBuild, type Progress } from './goBuild.ts'
export { run } from './run.ts'
export { startTemporalServer, type TemporalServer, type TemporalServerOptions } from './server.ts'
export type { SearchAttributes, SearchAttributeType } from './serverArguments.ts'
