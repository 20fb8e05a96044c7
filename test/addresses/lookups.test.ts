import type { LookupAddress } from 'node:dns'
import { expect, test, vi } from 'vitest'
import { lookupForOwner, lookupShared } from '../../addresses/lookups.ts'

type Done = (error: Error | null, addresses: LookupAddress[]) => void

/** The lookups in flight, by host. */
const resolver = vi.hoisted(() => new Map<string, unknown[]>())

// The resolver is no part of the project, and no name of the network is without an answer in every environment.
vi.mock('node:dns', () => ({
  lookup: (host: string, _options: object, done: Done) => resolver.set(host, [...(resolver.get(host) ?? []), done]),
}))

const addresses = [{ address: '192.0.2.1', family: 4 }]

/** Ends all lookups of a host. */
function respond(host: string, error: Error | null = null): void {
  const waiting = (resolver.get(host) ?? []) as Done[]
  resolver.delete(host)
  for (const done of waiting) done(error, addresses)
}

test('callers that ask for one host share a lookup, until it ends', async () => {
  const found = Promise.all([lookupShared('one.example'), lookupShared('one.example')])
  expect(resolver.get('one.example')).toHaveLength(1)
  respond('one.example')
  expect(await found).toEqual([addresses, addresses])
  const failed = lookupShared('one.example')
  respond('one.example', new Error('no such host'))
  await expect(failed).rejects.toThrow('no such host')
})

test('an owner has one lookup in flight, and delays no other owner', async () => {
  const { signal } = new AbortController()
  const first = lookupForOwner('acme', 'dead.example', signal)
  const second = lookupForOwner('acme', 'alive.example', signal)
  const other = lookupForOwner('globex', 'other.example', signal)
  await vi.waitFor(() => expect([...resolver.keys()].toSorted()).toEqual(['dead.example', 'other.example']))
  respond('other.example')
  expect(await other).toEqual(addresses)
  respond('dead.example', new Error('timed out'))
  await expect(first).rejects.toThrow('timed out')
  await vi.waitFor(() => expect([...resolver.keys()]).toEqual(['alive.example']))
  respond('alive.example')
  expect(await second).toEqual(addresses)
})

test('a caller that waits no longer starts no lookup', async () => {
  const controller = new AbortController()
  const first = lookupForOwner('initech', 'dead.example', controller.signal)
  const second = lookupForOwner('initech', 'abandoned.example', controller.signal)
  controller.abort()
  respond('dead.example')
  await first
  expect(await second).toEqual([])
  expect(resolver.size).toBe(0)
})
