import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { type HttpRequest, type HttpResponse, post } from './post.ts'
import { type ApiSettings, type ApiTimeouts, defaultConnections, maxResponseBytes } from './settings.ts'

/** Sends requests to the service. A simulation passes them to a service in its own process. */
export interface Transport {
  /**
   * Posts a request and reads the complete response, within `timeout` milliseconds in all.
   * @throws TransportError only
   */
  post(request: HttpRequest, timeout: number, signal?: AbortSignal): Promise<HttpResponse>
  /** Waits between two attempts of a read, in milliseconds, or until the signal aborts. */
  pause(length: number, signal?: AbortSignal): Promise<void>
  /** Waits for the requests in flight. Later requests fail. */
  close(): Promise<void>
}

export function createHttpTransport(
  { connections = defaultConnections, closeTimeout, proxies }: ApiSettings,
  timeouts: ApiTimeouts,
): Transport {
  const options = { connections, connect: { timeout: timeouts.connect } }
  const agent = createAgent(options, proxies)
  // Keeps no connection.
  const newConnections = createAgent({ ...options, pipelining: 0 }, proxies)
  const cut = new AbortController()
  setMaxListeners(0, cut.signal)
  return {
    post: (request, timeout, signal) =>
      post(request.newConnection ? newConnections : agent, request, timeout, { signal, cut: cut.signal }),
    pause: (length, signal) => sleep(length, undefined, signal ? { signal } : {}).catch(() => undefined),
    async close() {
      const timer = closeTimeout === undefined ? undefined : setTimeout(() => cut.abort(), closeTimeout)
      await Promise.all([agent.close(), newConnections.close()])
      clearTimeout(timer)
    },
  }
}

function createAgent(
  own: Pick<Agent.Options, 'connections' | 'pipelining'> & { readonly connect: { readonly timeout: number } },
  proxies: ApiSettings['proxies'],
): Dispatcher {
  const options = {
    ...own,
    // With HTTP/2 undici resends the requests of a closing connection on its own.
    allowH2: false,
    // Every request has its own limit. undici's limits would cut off creates.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxResponseBytes,
  }
  if (proxies === undefined) return new Agent(options)
  // An absent one is empty here, since undici would read the environment for it.
  const { timeout: connectTimeout } = own.connect
  return new EnvHttpProxyAgent({ ...options, connectTimeout, httpProxy: '', httpsProxy: '', noProxy: '', ...proxies })
}
