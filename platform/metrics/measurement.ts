export interface Measurement {
  stop(): void
}

/** Gauges that cost a query are measured once in this time, however often they are scraped. Milliseconds. */
const defaultInterval = 15_000

/**
 * Runs `measure` at once, then at an interval, never two at a time. Its errors are passed on.
 * @param interval milliseconds
 */
export function startMeasurement(
  measure: () => Promise<void>,
  onFailure: (error: unknown) => void,
  interval = defaultInterval,
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
