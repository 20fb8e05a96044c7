/** Milliseconds between two samples, and of processor time that a sample uses. */
const period = 500
const sampled = 20

/** Milliseconds that a timer may be late on an idle machine. A longer pause of this thread is one of the machine. */
const lateness = 250

/**
 * Measures how much slower the machine is than one with a free processor for this thread: 1 on an idle one, 2 if other
 * processes take half of the processor or if it stands still for half of the time. A test
 * divides the duration of an upper limit by it, so that the limit fails for what the tested code does and not for what
 * runs beside it.
 * @returns a function that ends the measurement
 */
export function measureSlowness(): () => number {
  const start = performance.now()
  let received = 0
  let last = { at: start, used: cpuTime() }

  function sample(): void {
    const at = performance.now()
    const used = cpuTime()
    const pause = at - last.at
    const counted = Math.min(pause, Math.max(period + lateness, used - last.used))
    while (cpuTime() - used < sampled);
    const share = Math.min(1, sampled / (performance.now() - at))
    last = { at: performance.now(), used: cpuTime() }
    received += counted * share + sampled
  }

  const timer = setInterval(sample, period)
  timer.unref()
  return () => {
    clearInterval(timer)
    sample()
    return Math.max(1, (performance.now() - start) / received)
  }
}

/** Milliseconds of processor time of this thread. */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
