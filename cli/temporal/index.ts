// The Temporal server for a developer's machine: found, downloaded or built, and started.
// The command, the tests and the benchmarks may import this.
export { cachedFolder } from './cachedFolder.ts'
export { type FindOptions, findTemporalCommand } from './command.ts'
export { goBuild } from './goBuild.ts'
export { run } from './run.ts'
export { startTemporalServer, type TemporalServer, type TemporalServerOptions } from './server.ts'
export type { SearchAttributes, SearchAttributeType } from './serverArguments.ts'
export type { Progress } from './source.ts'
