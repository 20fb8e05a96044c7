// The Temporal server of a developer's machine: finds or downloads the command, and starts it.
// The commands, the tests and the benchmarks import this.
export { inEmptyFolder } from './cache.ts'
export { type FindOptions, findTemporalCommand } from './command.ts'
export { run } from './run.ts'
export { startTemporalServer, type TemporalServer, type TemporalServerOptions } from './server.ts'
export type { SearchAttributes, SearchAttributeType } from './serverArguments.ts'
export type { Progress } from './source.ts'
