import { SettingsError } from './settingsError.ts'

/**
 * The exit code of a process that cannot start, as that of a command: 2 for wrong settings, 3 without its database,
 * otherwise 1.
 */
export function toExitCode(error: unknown): number {
  if (error instanceof SettingsError) return 2
  return error instanceof Error && 'code' in error && error.code === 'NotReachable' ? 3 : 1
}

/**
 * Returns a function that reports why a process did not stop cleanly: one line as for a start that fails, and exit code 1.
 * Without it the rejection would end the process before its telemetry is exported.
 */
export function reportStopFailure(name: string): (error: unknown) => void {
  return error => {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}

/**
 * Stops a process at SIGTERM and SIGINT. It exits by itself after its stop.
 * @param killAfter milliseconds after which it exits even if the stop hangs: docker waits for ten seconds
 */
export function stopOnSignals(stop: () => unknown, killAfter = 9_500): void {
  const onSignal = () => {
    setTimeout(() => process.exit(1), killAfter).unref()
    stop()
  }
  process.once('SIGTERM', onSignal).once('SIGINT', onSignal)
}

/** A listener of a process. Its host is absent if it listens on all addresses. */
interface Listener {
  readonly host?: string | undefined
  readonly port?: number | undefined
}

/** The listeners of a process by the beginning of their settings, such as LOCKERFLOW_SERVICE; undefined for one that it lacks. */
export type Listeners = Readonly<Record<string, Listener | undefined>>

/**
 * Names the setting of a listener that cannot listen. The error of the system has the address only. Other errors stay.
 * @returns SettingsError for an address that no other process has
 */
export function nameListener(error: unknown, listeners: Listeners): unknown {
  if (!(error instanceof Error && 'code' in error)) return error
  const port = 'port' in error ? Number(error.port) : undefined
  const host = 'hostname' in error ? error.hostname : 'address' in error ? error.address : undefined
  // The error of a free port has none.
  const isFailed = (listener: Listener | undefined) =>
    port ? listener?.port === port : listener?.host !== undefined && listener.host === host
  const named = Object.keys(listeners).filter(name => isFailed(listeners[name]))
  const [name, same] = named
  if (name === undefined) return error
  switch (error.code) {
    case 'EADDRINUSE': {
      const twice = `${same}_PORT: must differ from ${name}_PORT, which is ${port} too.`
      return new Error(same === undefined ? describeUsedPort(`${name}_PORT`, String(host), Number(port)) : twice, {
        cause: error,
      })
    }
    case 'EACCES':
      return wrong(`${name}_PORT`, `must be a port on which the process may listen, but ${port} needs privileges`)
    case 'EADDRNOTAVAIL':
      return wrong(`${name}_HOST`, `must be an address of this machine, but ${host} is not`)
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return wrong(`${name}_HOST`, `must be an address of this machine, but ${host} is not known`)
    default:
      return error
  }
}

function wrong(name: string, problem: string): SettingsError {
  return new SettingsError({ name, wrong: problem, example: name.endsWith('_HOST') ? '127.0.0.1' : '8080' })
}

/** The sentence about a port that another process has. */
export function describeUsedPort(setting: string, ip: string, port: number): string {
  return `${setting}: port ${port} on ${ip} is in use. Stop the process that listens there, or set ${setting} to another port.`
}
