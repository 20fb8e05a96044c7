import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { type OperationName, operations } from '#contract'
import { seeded } from '../../support/seed.ts'
import {
  asks,
  fields,
  isThing,
  type Owned,
  own,
  type Things,
  withValue,
} from '../../support/service/foreignIdentifiers.ts'
import { type KeptConnection, keepConnection } from '../../support/service/keptConnection.ts'
import { quantile, signedRank } from '../../support/service/signedRank.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

/**
 * How often everything is asked before anything counts, to look for what stands out, and to look at that again: as
 * often as there is time for, in milliseconds, but enough to tell anything.
 */
const rounds = {
  warm: { maximum: 8, minimum: 3, time: 2_000 },
  first: { maximum: 80, minimum: 12, time: 10_000 },
  second: { maximum: 250, minimum: 40, time: 6_000 },
} as const
/** In standard deviations: one in twenty that is nothing is looked at again, and one in a million of those stays. */
const limits = { first: 2, second: 4.89 }
/** To find a row and see whose it is takes one to four microseconds more than to find none; this much is let through. */
const tolerated = 5

/** A foreign identifier, an unknown one, and another unknown one that shows the random difference. */
const whose = ['foreign', 'unknown', 'another'] as const
type Whose = (typeof whose)[number]

interface Row {
  readonly name: string
  /** A request each time anew, since a key is used once. */
  readonly request: (whose: Whose, round: number) => Buffer
  /** True if it counts a wrong code, which must be reset before the next call. */
  readonly guesses: boolean
}

test('a foreign identifier takes as long as an unknown one, whatever the other tenant has', async () => {
  const { seed } = seeded(1)
  const world = await createWorld()
  onTestFinished(() => world.stop())
  const owned = await own(world)
  await addMuch(world, owned)
  const connection = await keepConnection(world.service.port)
  onTestFinished(() => connection.close())
  const rows = await rowsFor(world, owned)
  const measure = createMeasure(world, connection, random(seed))

  await measure(rows, rounds.warm)
  const first = await measure(rows, rounds.first)
  const suspects = rows.filter(row => Math.abs(deviationOf(first, row)) > limits.first)
  const second = await measure(suspects, rounds.second)
  const report = suspects.map(row => ({ ...verdictOf(second, row), first: deviationOf(first, row).toFixed(1) }))
  const spreads = rows.map(row => verdictOf(first, row).spread)
  console.info(`seed ${seed}: ${rows.length} identifiers, spread of a pair ${quantile(spreads, 0.5).toFixed(0)} µs`)
  if (report.length > 0) console.info('looked at again:', report)

  // Two unknown identifiers must not differ, or the measurement means nothing.
  const unfair = rows.filter(row => Math.abs(controlOf(first, row)) > limits.second).map(({ name }) => name)
  expect({ seed, unfair }).toEqual({ seed, unfair: [] })
  const found = report.filter(({ deviation }) => Math.abs(deviation) > limits.second)
  expect({ seed, found }).toEqual({ seed, found: [] })
})

/** Microseconds of each round, by row. */
type Times = ReadonlyMap<Row, readonly Readonly<Record<Whose, number>>[]>

/** Asks every row this many times, and each time in another order. */
function createMeasure(world: ServiceWorld, connection: KeptConnection, next: () => number) {
  let round = 0
  return async (
    rows: readonly Row[],
    { maximum, minimum, time }: (typeof rounds)[keyof typeof rounds],
  ): Promise<Times> => {
    const end = performance.now() + time
    const times = new Map(rows.map(row => [row, [] as Record<Whose, number>[]]))
    for (let done = 0; done < maximum && (done < minimum || performance.now() < end); done++, round++) {
      for (const row of rows) {
        const took = { foreign: 0, unknown: 0, another: 0 }
        for (const one of shuffled(whose, next)) {
          if (row.guesses) await world.service.store.deleteFrom('pin_attempts').execute()
          took[one] = (await connection.send(row.request(one, round))).took
        }
        times.get(row)?.push(took)
      }
    }
    return times
  }
}

function differencesOf(times: Times, row: Row, one: Whose, other: Whose): number[] {
  return (times.get(row) ?? []).map(took => took[one] - took[other])
}

/** The differences beyond the tolerance, up or down. */
function deviationOf(times: Times, row: Row, tolerance = 0): number {
  const differences = differencesOf(times, row, 'foreign', 'unknown')
  const longer = signedRank(differences.map(one => one - tolerance))
  const shorter = signedRank(differences.map(one => one + tolerance))
  return Math.max(longer, 0) + Math.min(shorter, 0)
}

function controlOf(times: Times, row: Row): number {
  return signedRank(differencesOf(times, row, 'another', 'unknown'))
}

/** Microseconds, but for the deviation. */
function verdictOf(times: Times, row: Row) {
  const chance = differencesOf(times, row, 'another', 'unknown')
  return {
    name: row.name,
    deviation: Number(deviationOf(times, row, tolerated).toFixed(1)),
    longer: Math.round(quantile(differencesOf(times, row, 'foreign', 'unknown'), 0.5)),
    spread: Math.round(quantile(chance, 0.75) - quantile(chance, 0.25)),
  }
}

async function rowsFor(world: ServiceWorld, owned: Owned): Promise<Row[]> {
  const token = await world.service.token()
  const raw = (operation: OperationName, ask: object, key?: string) => {
    const body = JSON.stringify(ask)
    const head = [
      `POST ${operations[operation].path} HTTP/1.1`,
      'host: 127.0.0.1',
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      ...(key === undefined ? [] : [`idempotency-key: ${key}`]),
    ]
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  const identifiers = fields.flatMap(({ operation, path, kind }): Row[] => {
    const ways = isThing(kind) ? asks[operation](owned.mine) : []
    return ways.map((ask, way) => {
      const of = (things: Things) => raw(operation, withValue(ask, path, things[kind as keyof Things]))
      const requests = { foreign: of(owned.foreign), unknown: of(owned.unknown), another: of(owned.another) }
      const name = `${operation} ${path.join('.')}${way > 0 ? `, way ${way + 1}` : ''}`
      return { name, request: one => requests[one], guesses: kind === 'code' }
    })
  })
  const keys = await keysOfGlobex(world)
  const [ask = {}] = asks.CreateLocalShipmentAsStock(owned.mine)
  const refused = { ...ask, PupUid: 'nowhere' }
  return [
    ...identifiers,
    {
      name: 'Idempotency-Key',
      request: (one, round) =>
        raw('CreateLocalShipmentAsStock', refused, one === 'foreign' ? keys[round] : randomUUID()),
      guesses: false,
    },
  ]
}

/** A key for each round, stored for globex with a response. */
async function keysOfGlobex({ service }: ServiceWorld): Promise<string[]> {
  const keys = Array.from({ length: Object.values(rounds).reduce((sum, { maximum }) => sum + maximum, 0) }, () =>
    randomUUID(),
  )
  const kept = { client_id: 'globex', fingerprint: 'f', status: 200, body: '{}', created_at: Date.now() }
  await service.store
    .insertInto('idempotency')
    .values(keys.map(key => ({ ...kept, key })))
    .execute()
  return keys
}

/**
 * Thousands of shipments of both tenants: those of globex for one account, at one pick up point and of one case, those
 * of acme each for and of others, so that statistics say that a value is rare.
 */
async function addMuch({ service }: ServiceWorld, { foreign, mine }: Owned): Promise<void> {
  const many = [
    { things: foreign, each: sql`''` },
    { things: mine, each: sql`n` },
  ]
  for (const { things, each } of many) {
    await sql`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 4000)
      insert into shipments (shipment_uid, tenant_id, shipment_type, state_code, state_since, created_at, updated_at,
        pup_uid, width, height, length, keep_booked, stock, reference_case_no, from_user_uid, to_user_uid)
      select shipment_uid || n, tenant_id, shipment_type, 'Completed', 0, 0, 0, ${things['pick up point']}, 1, 1, 1, 0,
        0, ${things['case number']} || ${each}, ${things.account} || ${each}, ${things.account} || ${each}
      from shipments, numbers where shipment_uid = ${things.shipment}`.execute(service.store)
  }
  // As the database does by itself after a while.
  if (inject('postgres') !== undefined) await sql`analyze`.execute(service.store)
}

function shuffled<Item>(items: readonly Item[], next: () => number): Item[] {
  return items
    .map(item => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** Numbers from 0 to 1 that a seed makes (mulberry32). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
