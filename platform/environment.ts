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

/** The variables that name a team's own flows with their activities and calendars. */
export const ownFlowNames = ['LOCKERFLOW_FLOWS', 'LOCKERFLOW_ACTIVITIES', 'LOCKERFLOW_CALENDARS'] as const

/** The pattern of the files that declare custom flows; undefined without any. The worker reads the same setting. */
export function readFlowFiles(source: NodeJS.ProcessEnv = process.env): string | undefined {
  return source.LOCKERFLOW_FLOWS || undefined
}

/** The environment of this process with some values added. */
export function environmentWith(additions: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...additions }
}

/** Names of this machine, as gRPC compares them with the host of an address. */
const loopback = ['localhost', '127.0.0.1', '::1']

/**
 * Exempts this machine from the proxy of the environment, for this process and its children. gRPC sends even calls
 * to loopback through the proxy, and reads the variables in lower case only.
 */
export function bypassProxyOnLoopback(environment: NodeJS.ProcessEnv = process.env): void {
  const { http_proxy, https_proxy, grpc_proxy, HTTP_PROXY, HTTPS_PROXY, no_grpc_proxy, no_proxy, NO_PROXY } =
    environment
  if (!(http_proxy || https_proxy || grpc_proxy || HTTP_PROXY || HTTPS_PROXY)) return
  environment.no_proxy = withLoopback(no_proxy || NO_PROXY)
  if (no_grpc_proxy) environment.no_grpc_proxy = withLoopback(no_grpc_proxy)
}

function withLoopback(hosts = ''): string {
  const listed = hosts.split(',').flatMap(host => host.trim() || [])
  return [...listed, ...loopback.filter(host => !listed.includes(host))].join(',')
}

// The XDG specification declares relative paths invalid and has programs ignore them.
function cacheHome(configured: string | undefined): string {
  return configured && isAbsolute(configured) ? configured : join(homedir(), '.cache')
}

/** The environment of the process. A profile completes it before a verb runs. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  return process.env
}
