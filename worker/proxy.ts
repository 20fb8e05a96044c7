import type { NativeConnectionOptions } from '@temporalio/worker'
import { readProxy } from '#platform/settings'

type Proxy = NonNullable<NativeConnectionOptions['proxy']>

/** The variables that gRPC for Node reads, by precedence. Gateway and verbs connect through it. */
const variables = ['grpc_proxy', 'https_proxy', 'http_proxy'] as const

/**
 * Reads the proxy for the connection of a worker to Temporal (D-447). The core of the SDK reads no variable, so this follows
 * the rules of gRPC for Node: a worker connects as its gateway does.
 * @param address the address of Temporal, with its port
 * @throws SettingsError if the variable is not the address of a proxy
 */
export function readTemporalProxy(source: NodeJS.ProcessEnv, address: string): Proxy | undefined {
  if (isExempt(address, source)) return undefined
  const proxy = readProxy(source, variables, /^http:$/)
  if (proxy === undefined) return undefined
  const { hostname, port, username, password } = proxy
  return {
    type: 'http-connect',
    // A URL leaves out the port 80.
    targetHost: `${hostname}:${port || '80'}`,
    ...(username !== '' && {
      basicAuth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
    }),
  }
}

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** Compares the ends of host names, as gRPC for Node does. */
function isExempt(address: string, { no_grpc_proxy, no_proxy }: NodeJS.ProcessEnv): boolean {
  const host = address.replace(/:\d+$/, '')
  const ends = (no_grpc_proxy || no_proxy || '').split(',').flatMap(end => end.trim() || [])
  return loopback.includes(host) || ends.some(end => host.endsWith(end))
}
