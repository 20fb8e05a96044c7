import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'

// `getaddrinfo` occupies one of the process's few threads until the resolver responds, and cannot be aborted. Names
// without a response must not occupy all of them, so lookups are shared by host and limited by owner.

const byHost = new Map<string, Promise<LookupAddress[]>>()
const byOwner = new Map<string, Promise<unknown>>()

/** Resolves all addresses of a host. Concurrent callers share one lookup. */
export function lookupShared(host: string, options: LookupOptions = {}): Promise<LookupAddress[]> {
  const key = JSON.stringify([host, options.family, options.hints])
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

/**
 * The same with one lookup at a time per owner.
 * @param signal aborts the wait for earlier lookups of the owner
 */
export async function lookupForOwner(owner: string, host: string, signal: AbortSignal): Promise<LookupAddress[]> {
  for (let running = byOwner.get(owner); running !== undefined; running = byOwner.get(owner)) {
    await running.catch(() => undefined)
    if (signal.aborted) return []
  }
  const found = lookupShared(host)
  byOwner.set(owner, found)
  return found.finally(() => byOwner.delete(owner))
}
