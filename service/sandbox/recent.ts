import { randomBytes } from 'node:crypto'

/** Maximum number of tenants whose entries are in memory. The tenant with the oldest last entry is evicted first. */
const maxTenants = 50

/** An entry without its id, which the list gives it. */
export type NewEntry<Entry> = Omit<Entry, 'id'>

/** The last entries of each tenant, in the memory of this process. */
export interface Recent<Entry extends { readonly id: string }> {
  note(tenantId: string, entry: NewEntry<Entry>): void
  /** The entries after this id, the oldest first. With an id that has left the list, or of another process, all of them. */
  list(tenantId: string, after?: string): readonly Entry[]
  /** Calls the listener with each new entry of the tenant, until the returned function is called. */
  follow(tenantId: string, listener: (entry: Entry) => void): () => void
}

interface Listed<Entry> {
  readonly entries: Entry[]
  readonly listeners: Set<(entry: Entry) => void>
}

/** @param capacity of one tenant */
export function createRecent<Entry extends { readonly id: string }>(capacity: number): Recent<Entry> {
  const tenants = new Map<string, Listed<Entry>>()
  // Ids of an earlier process must not hide entries of this one.
  const run = randomBytes(6).toString('base64url')
  let last = 0

  /** Moves the tenant to the end, and forgets the first ones that no reader follows. */
  function open(tenantId: string): Listed<Entry> {
    const found = tenants.get(tenantId) ?? { entries: [], listeners: new Set() }
    tenants.delete(tenantId)
    tenants.set(tenantId, found)
    for (const [other, { listeners }] of tenants) {
      if (tenants.size <= maxTenants) break
      if (listeners.size === 0 && other !== tenantId) tenants.delete(other)
    }
    return found
  }

  return {
    note(tenantId, fields) {
      const { entries, listeners } = open(tenantId)
      const entry = { ...fields, id: `${run}-${++last}` } as Entry
      entries.push(entry)
      if (entries.length > capacity) entries.shift()
      for (const listener of listeners) listener(entry)
    },
    list(tenantId, after) {
      const entries = tenants.get(tenantId)?.entries ?? []
      return entries.slice(entries.findIndex(({ id }) => id === after) + 1)
    },
    follow(tenantId, listener) {
      const { listeners } = open(tenantId)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
