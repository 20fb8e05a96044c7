import { readFileSync } from 'node:fs'
import type { TestModule } from 'vitest/node'

declare module 'vitest' {
  interface TaskMeta {
    /** Processor seconds of a test file and of the processes that it started and awaited. */
    processorSeconds?: number
  }
}

/** Files that the report lists. */
const listed = 10

/** Linux counts in hundredths of a second, on every processor that Node supports. */
const ticksPerSecond = 100

/** Processor seconds of this process, and on Linux also of its ended descendants. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000 + descendantSeconds()
}

function descendantSeconds(): number {
  if (process.platform !== 'linux') return 0
  // Behind the name, which can contain spaces, cutime and cstime are the 14th and 15th field (proc_pid_stat(5)).
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
}

/** The processor time of a run and its dearest files, so that a file that grows dear is seen. */
export function processorReport(modules: readonly TestModule[]): string {
  const rows = modules.map(module => ({
    name: `${module.project.name} ${module.relativeModuleId}`,
    seconds: module.meta().processorSeconds ?? 0,
  }))
  const dearest = rows.toSorted((a, b) => b.seconds - a.seconds).slice(0, listed)
  return [
    `${Math.round(processorSeconds())} processor seconds in all. The dearest files:`,
    ...dearest.map(row => `${row.seconds.toFixed(1).padStart(7)}  ${row.name}`),
  ].join('\n')
}
