import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds between two samples, which each sample includes. */
const resolution = 10
/** Milliseconds of one measurement. */
const interval = 1_000

interface EventLoopDelay {
  /** The mean delay of the last measurement in milliseconds. */
  mean(): number
  stop(): void
}

/** Measures the delay of the event loop. It opens no file, so it also works in a process without free file descriptors. */
export function measureEventLoopDelay(): EventLoopDelay {
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  let mean = 0
  let startedAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // Without a sample, the loop was blocked all the time.
    mean = histogram.count === 0 ? now - startedAt : Math.max(0, histogram.mean / 1e6 - resolution)
    histogram.reset()
    startedAt = now
  }, interval).unref()
  return {
    mean: () => mean,
    stop() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
