import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'

// `getaddrinfo` occupies one of the process's few threads until the resolver responds, and cannot be aborted. Names
// without a response must not occupy all of them, so lookups are shared by host and limited by owner.

/** Hosts whose owners are remembered. */
const maxHosts = 1_000

const byHost = new Map<string, Promise<LookupAddress[]>>()
const byOwner = new Map<string, Promise<unknown>>()

/** Resolves all addresses of a host. Concurrent callers share one lookup. */
export function lookupShared(host: string, options: LookupOptions = {}): Promise<LookupAddress[]> {
  const key = toKey(host, options)
  const running = byHost.get(key)
  if (running !== undefined) return running
  const { promise, resolve, reject } = Promise.withResolvers<LookupAddress[]>()
  byHost.set(key, promise)
  lookup(host, { ...options, all: true }, (error, addresses) => {
    byHost.delete(key)
    if (error === null) resolve(addresses)
    else reject(error)
  })
  return promise
}

function toKey(host: string, { family, hints }: LookupOptions): string {
  return JSON.stringify([host, family, hints])
}

/**
 * Resolves all addresses of a host, one host at a time per owner.
 * @param signal aborts the wait for earlier lookups of the owner
 * @returns undefined if the wait was aborted
 */
export async function lookupForOwner(
  owner: string,
  host: string,
  signal: AbortSignal,
  options: LookupOptions = {},
): Promise<LookupAddress[] | undefined> {
  const shared = byHost.get(toKey(host, options))
  if (shared !== undefined) return shared
  for (let running = byOwner.get(owner); running !== undefined; running = byOwner.get(owner)) {
    await running.catch(() => undefined)
    if (signal.aborted) return undefined
  }
  const found = lookupShared(host, options)
  byOwner.set(owner, found)
  return found.finally(() => byOwner.delete(owner))
}

/** The owners of hosts, for lookups of connections: a socket knows the host only. */
export interface HostOwners {
  add(host: string, owner: string): void
  /** The owner of a host. A host of several owners, or of none, is its own. */
  ownerOf(host: string): string
}

export function createHostOwners(): HostOwners {
  const owners = new Map<string, string>()
  const own = (host: string) => `host ${host}`
  return {
    add(host, owner) {
      if (owners.size >= maxHosts) owners.clear()
      const known = owners.get(host)
      // An owner must not delay the lookups of a host that others name too.
      owners.set(host, known === undefined || known === owner ? owner : own(host))
    },
    ownerOf: host => owners.get(host) ?? own(host),
  }
}
