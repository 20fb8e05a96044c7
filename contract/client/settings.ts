/** Timeouts in milliseconds. */
export interface ApiTimeouts {
  readonly connect: number
  readonly token: number
  readonly read: number
  readonly change: number
  readonly create: number
  readonly upload: number
}

/** The service, and the credentials of a client of it. */
export interface ApiSettings {
  /** Address of the API; may have a path. */
  readonly baseUrl: string
  /** Address of the token service; may have a path. */
  readonly authUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly timeouts?: Partial<ApiTimeouts>
  /** Retries of a read after a fault; 2 by default. */
  readonly readRetries?: number
  /** Proxies by the scheme of the service, and the hosts that are reached directly, separated by commas. */
  readonly proxies?: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string }
  /** Maximum number of connections to one address; 512 by default. Further calls wait. */
  readonly connections?: number
  /**
   * Milliseconds that `close` waits for calls in flight, creates too, before it cuts them off. Without it, `close`
   * waits for all of them.
   */
  readonly closeTimeout?: number
  /** Runs each call of an operation in a span, and gives it the headers that continue its trace. */
  readonly trace?: TraceCall
}

export type TraceCall = <Result>(
  operation: string,
  url: URL,
  call: (headers: Readonly<Record<string, string>>) => Promise<Result>,
) => Promise<Result>

const defaultTimeouts: ApiTimeouts = {
  connect: 3_000,
  // A request that is cut off gives no token, so a slow endpoint would never sign in.
  token: 15_000,
  read: 10_000,
  change: 15_000,
  // A create that is cut off may still book, and its locker would stay blocked without an owner. So it waits as long as
  // its response is of use. The limit protects the connection pool from a peer that never responds.
  create: 300_000,
  // A service may read a large file for half a minute, and queue it behind others.
  upload: 120_000,
}

export const defaultReadRetries = 2
export const defaultConnections = 512

/** Maximum size of an uploaded file, in bytes. */
export const maxUploadBytes = 10 * 1024 * 1024

/** Maximum size of a response, in bytes. A page of 500 shipments is below a megabyte. */
export const maxResponseBytes = 32 * 1024 * 1024

/** Node ends a longer timer after a millisecond. */
const maxTimeout = 2 ** 31 - 1

/** @throws TypeError that names the malformed address, or the number without effect */
export function requireValid({ baseUrl, authUrl, readRetries, connections }: ApiSettings): void {
  for (const [field, address] of Object.entries({ baseUrl, authUrl })) {
    // Node 20 has no URL.parse.
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
      throw new TypeError(`${field}: must be an http or https address.`)
    }
  }
  for (const [field, number, min] of [
    ['readRetries', readRetries, 0],
    ['connections', connections, 1],
  ] as const) {
    if (number === undefined || (Number.isInteger(number) && number >= min)) continue
    throw new TypeError(`${field}: must be a whole number of at least ${min}, not ${number}.`)
  }
}

/** @throws TypeError that names the timeout that no timer can have */
export function readTimeouts({ timeouts = {}, closeTimeout = 0 }: ApiSettings): ApiTimeouts {
  if (!(closeTimeout >= 0 && closeTimeout <= maxTimeout)) {
    throw new TypeError(`closeTimeout: must be milliseconds from 0 to ${maxTimeout}, not ${closeTimeout}.`)
  }
  const given = Object.entries(timeouts).filter(([, length]) => length !== undefined)
  for (const [name, length] of given) {
    if (!(length >= 1 && length <= maxTimeout)) {
      throw new TypeError(`timeouts.${name}: must be milliseconds from 1 to ${maxTimeout}, not ${length}.`)
    }
  }
  return { ...defaultTimeouts, ...Object.fromEntries(given) }
}

/**
 * Appends a path to an address that may have a path of its own.
 * @throws TypeError when the address is malformed
 */
export function joinUrl(address: string, path: string): URL {
  const url = new URL(address)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  return url
}
