import { SettingsError } from './settingsError.ts'
import type { Source } from './variable.ts'

const example = 'http://proxy.example:3128'

/**
 * Reads the proxies for calls to a service, as Node's own clients read them: with `NODE_USE_ENV_PROXY=1` only (D-447).
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
export function readProxy(source: Source, variables: readonly string[], scheme: RegExp): URL | undefined {
  const name = variables.find(variable => source[variable])
  const text = name === undefined ? undefined : source[name]
  if (name === undefined || text === undefined) return undefined
  const url = URL.parse(text)
  if (url !== null && scheme.test(url.protocol)) return url
  throw new SettingsError({ name, wrong: 'must be the http address of a proxy', example })
}
