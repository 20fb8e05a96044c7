import type { LookupAddress } from 'node:dns'
import { expect, test, vi } from 'vitest'
import { checkedLookup } from '#platform/addresses'
import { createHostOwners, lookupForOwner, lookupShared } from '../../../platform/addresses/lookups.ts'

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
  expect(await second).toBeUndefined()
  expect(resolver.size).toBe(0)
})

/** Connects through a lookup, and returns the code of its error or the address. */
function connect(lookup: ReturnType<typeof checkedLookup>, host: string): Promise<unknown> {
  return new Promise(resolve => lookup(host, {}, (error, address) => resolve(error?.code ?? address)))
}

test('connections of one tenant have one lookup in flight, and delay no other tenant', async () => {
  const owners = createHostOwners()
  for (const host of ['dead-1.example', 'dead-2.example', 'dead-3.example', 'common.example']) owners.add(host, 'acme')
  for (const host of ['alive.example', 'common.example']) owners.add(host, 'globex')
  const lookup = checkedLookup(true, { owners, timeout: 100 })
  const dead = ['dead-1.example', 'dead-2.example', 'dead-3.example'].map(host => connect(lookup, host))
  const alive = connect(lookup, 'alive.example')
  const common = connect(lookup, 'common.example')
  await vi.waitFor(() =>
    expect([...resolver.keys()].toSorted()).toEqual(['alive.example', 'common.example', 'dead-1.example']),
  )
  respond('alive.example')
  respond('common.example')
  expect(await Promise.all([alive, common])).toEqual(['192.0.2.1', '192.0.2.1'])
  await new Promise(resolve => AbortSignal.timeout(150).addEventListener('abort', resolve, { once: true }))
  respond('dead-1.example', Object.assign(new Error('timed out'), { code: 'EAI_AGAIN' }))
  expect(await Promise.all(dead)).toEqual(['EAI_AGAIN', 'EDNSTIMEOUT', 'EDNSTIMEOUT'])
  expect(resolver.size).toBe(0)
})

test('a host in flight is shared by the connections of its owner', async () => {
  const { signal } = new AbortController()
  const found = Promise.all(['one', 'one', 'one'].map(() => lookupForOwner('hooli', 'shared.example', signal)))
  expect(resolver.get('shared.example')).toHaveLength(1)
  respond('shared.example')
  expect(await found).toEqual([addresses, addresses, addresses])
})
