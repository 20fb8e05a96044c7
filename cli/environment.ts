import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Settings of the commands that are not LOCKERFLOW variables. */
export type CliEnvironment = {
  /** Address of a running Temporal server. Without it, dev, demo and the tests start a server of their own. */
  temporalAddress: string | undefined
  temporalNamespace: string
  /** Folder outside the clone for programs that are built or downloaded once per machine. */
  cacheFolder: string
}

/** Reads the settings of the commands. */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): CliEnvironment {
  return {
    temporalAddress: source.TEMPORAL_ADDRESS || undefined,
    temporalNamespace: source.TEMPORAL_NAMESPACE || 'default',
    cacheFolder: join(cacheHome(source.XDG_CACHE_HOME), 'lockerflow'),
  }
}

/** The pattern of the files that declare own flows; undefined without any. The worker reads the same setting. */
export function readFlowFiles(source: NodeJS.ProcessEnv = process.env): string | undefined {
  return source.LOCKERFLOW_FLOWS || undefined
}

/** The environment of this process with some values added. */
export function environmentWith(additions: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...additions }
}

// The XDG specification declares relative paths invalid and has programs ignore them.
function cacheHome(configured: string | undefined): string {
  return configured && isAbsolute(configured) ? configured : join(homedir(), '.cache')
}

/** The environment of the process. A profile completes it before a verb runs. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  return process.env
}
