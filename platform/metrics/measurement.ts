import { measurementInterval } from './table.ts'

export interface Measurement {
  stop(): void
}

/**
 * Runs `measure` at once, then at an interval, never two at a time. Its errors are passed on.
 * @param interval milliseconds
 */
export function startMeasurement(
  measure: () => Promise<void>,
  onFailure: (error: unknown) => void,
  interval = measurementInterval * 1_000,
): Measurement {
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  async function run(): Promise<void> {
    await measure().catch(error => {
      if (!stopped) onFailure(error)
    })
    if (!stopped) timer = setTimeout(run, interval).unref()
  }

  void run()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
