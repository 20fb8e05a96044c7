import { SettingsError } from './settingsError.ts'
import type { Source } from './variable.ts'

const example = 'http://proxy.example:3128'

/**
 * Reads the proxies for calls to a service, as Node's own clients read them: with `NODE_USE_ENV_PROXY=1` only.
 * @throws SettingsError if one of them is not the address of a proxy
 */
export function readServiceProxies(source: Source) {
  if (source.NODE_USE_ENV_PROXY !== '1') return undefined
  const httpProxy = readProxy(source, ['http_proxy', 'HTTP_PROXY'], /^https?:$/)?.href
  const httpsProxy = readProxy(source, ['https_proxy', 'HTTPS_PROXY'], /^https?:$/)?.href
  const noProxy = source.no_proxy || source.NO_PROXY
  return { ...(httpProxy && { httpProxy }), ...(httpsProxy && { httpsProxy }), ...(noProxy && { noProxy }) }
}

/**
 * Reads the proxy of the first of these variables that is set.
 * @throws SettingsError that names the variable
 */
function readProxy(source: Source, variables: readonly string[], scheme: RegExp): URL | undefined {
  const name = variables.find(variable => source[variable])
  const text = name === undefined ? undefined : source[name]
  if (name === undefined || text === undefined) return undefined
  const url = URL.parse(text)
  if (url !== null && scheme.test(url.protocol)) return url
  throw new SettingsError({ name, wrong: 'must be the http address of a proxy', example })
}

/** The variables that gRPC for Node reads, by precedence. Gateway and verbs connect through it. */
const grpcVariables = ['grpc_proxy', 'https_proxy', 'http_proxy'] as const

/**
 * Reads the proxy for the connection of a worker to Temporal. The core of the SDK reads no variable, so this follows
 * the rules of gRPC for Node: a worker connects as its gateway does.
 * @param address the address of Temporal, with its port
 * @throws SettingsError if the variable is not the address of a proxy
 */
export function readTemporalProxy(source: Source, address: string) {
  if (isExempt(address, source)) return undefined
  const proxy = readProxy(source, grpcVariables, /^http:$/)
  if (proxy === undefined) return undefined
  const { hostname, port, username, password } = proxy
  return {
    type: 'http-connect' as const,
    // A URL leaves out the port 80.
    targetHost: `${hostname}:${port || '80'}`,
    ...(username !== '' && {
      basicAuth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
    }),
  }
}

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** Compares the ends of host names, as gRPC for Node does. */
function isExempt(address: string, { no_grpc_proxy, no_proxy }: Source): boolean {
  const host = address.replace(/:\d+$/, '')
  const ends = (no_grpc_proxy || no_proxy || '').split(',').flatMap(end => end.trim() || [])
  return loopback.includes(host) || ends.some(end => host.endsWith(end))
}
