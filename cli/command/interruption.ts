import { constants } from 'node:os'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Milliseconds that most verbs have to stop after a signal. Supervisors kill after ten seconds. */
const usualTimeout = 9_000

/** Milliseconds between two checks of the parent. */
const parentInterval = 1_000

/** The signals of a process that a verb handles from its first use of `signal` on. */
export interface Interruption {
  readonly signal: AbortSignal
  /** The verb handles signals. */
  readonly isUsed: boolean
  /** 128 + signal number after a signal. */
  readonly exitCode: number | undefined
  /** Milliseconds that the verb has to stop after a signal. */
  stopTimeout: number
}

/** A second signal ends the process immediately. */
export function createInterruption(): Interruption {
  let controller: AbortController | undefined
  let exitCode: number | undefined
  function listen(): AbortController {
    const aborting = new AbortController()
    for (const signal of signals) {
      process.on(signal, () => {
        if (exitCode !== undefined) process.exit(exitCode)
        exitCode = 128 + constants.signals[signal]
        aborting.abort(new Error(`interrupted by ${signal}`))
        setTimeout(() => process.exit(exitCode), interruption.stopTimeout).unref()
      })
    }
    return aborting
  }
  const interruption: Interruption = {
    stopTimeout: usualTimeout,
    get signal() {
      controller ??= listen()
      return controller.signal
    },
    get isUsed() {
      return controller !== undefined
    },
    get exitCode() {
      return exitCode
    },
  }
  return interruption
}

/** Sends SIGTERM to this process if npm started it and has ended: npm passes a signal on to its shell alone. */
export function endWithNpm(interruption: Pick<Interruption, 'exitCode'>, environment: NodeJS.ProcessEnv): void {
  if (!environment.npm_lifecycle_event) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    // A second signal would end the verb at once.
    if (interruption.exitCode === undefined) process.kill(process.pid, 'SIGTERM')
  }, parentInterval)
  watch.unref()
}
