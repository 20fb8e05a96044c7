/** Time-outs in milliseconds. */
export interface ApiTimeouts {
  readonly connect: number
  readonly token: number
  readonly read: number
  readonly change: number
  readonly create: number
  readonly upload: number
}

export interface ApiSettings {
  /** Address of the API; may have a path. */
  readonly baseUrl: string
  /** Address of the token service; may have a path. */
  readonly authUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly timeouts?: Partial<ApiTimeouts>
  /** How often a read is repeated after a fault; 2 unless told otherwise. */
  readonly readRetries?: number
  /** Connections at once to one address; the rest waits its turn. */
  readonly connections?: number
}

export const defaultTimeouts: ApiTimeouts = {
  connect: 3_000,
  token: 5_000,
  read: 10_000,
  change: 15_000,
  // A create that is cut off may still be booked, and its locker would belong to nobody. So it is never aborted while
  // its answer is worth anything; yet a peer that accepts and never answers must not eat the pool.
  create: 300_000,
  // A service may read a large file for half a minute, and let others go first.
  upload: 120_000,
}

export const defaultReadRetries = 2
export const defaultConnections = 512

/** Bytes of one file that is uploaded (docs/decisions.md, Suggestions: Limits). */
export const longestUpload = 10 * 1024 * 1024

/** Bytes of one answer; a page of 500 shipments is below a megabyte. */
export const longestAnswer = 32 * 1024 * 1024

/** The address of a path below an address that may have a path of its own; throws TypeError on a malformed address. */
export function urlBelow(address: string, path: string): URL {
  const url = new URL(address)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  return url
}
