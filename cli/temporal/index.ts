// The Temporal server for a developer's machine: found, downloaded or built, and started.
// The command, the tests and the benchmarks may import this.
export { type FindOptions, findTemporalCommand } from './command.ts'
export { startTemporalServer, type TemporalServer, type TemporalServerOptions } from './server.ts'
export type { SearchAttributes, SearchAttributeType } from './serverArguments.ts'
export type { Progress } from './source.ts'
