import type { TestModule } from 'vitest/node'

/** Files that the report lists. */
const listed = 10

/** The slowest files of a run with their seconds, one line each, so that a file that grows slow is seen. */
export function slowestFiles(modules: readonly TestModule[]): string {
  const rows = modules.map(module => {
    const { prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
    const seconds = (prepareDuration + setupDuration + collectDuration + duration) / 1_000
    return { name: `${module.project.name} ${module.relativeModuleId}`, seconds }
  })
  const slowest = rows.toSorted((a, b) => b.seconds - a.seconds).slice(0, listed)
  return [
    'Slowest files in seconds:',
    ...slowest.map(row => `${row.seconds.toFixed(1).padStart(7)}  ${row.name}`),
  ].join('\n')
}
