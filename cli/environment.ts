import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** What the command takes from the environment. */
export type CliEnvironment = {
  /** Where Temporal is; undefined when a server of one's own is to be started. */
  temporalAddress: string | undefined
  temporalNamespace: string
  /** Folder outside the clone for what is built or downloaded once per machine. */
  cacheFolder: string
}

/** Reads the command's settings. */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): CliEnvironment {
  return {
    temporalAddress: source.TEMPORAL_ADDRESS || undefined,
    temporalNamespace: source.TEMPORAL_NAMESPACE || 'default',
    cacheFolder: join(cacheHome(source.XDG_CACHE_HOME), 'lockerflow'),
  }
}

/** The environment for a child process: this process's own with some values added. */
export function childEnvironment(additions: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...additions }
}

// The XDG specification: a relative path is invalid and to be ignored.
function cacheHome(configured: string | undefined): string {
  return configured && isAbsolute(configured) ? configured : join(homedir(), '.cache')
}
