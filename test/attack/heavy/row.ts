import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { measureCalls, percentile } from '../../support/service/fairness.ts'
import { connected, startPostgres } from '../../support/setup/postgresServer.ts'
import { requests } from '../operations.ts'
import { createScene, expectSuccess, type Scene } from '../scene.ts'
import { startTarget } from '../startTargets.ts'
import { type LoadCounts, prepareAttacker } from './attacker.ts'
import { rateLimit } from './loads.ts'

export const stores = ['embedded', 'postgres'] as const
export type StoreName = (typeof stores)[number]

export interface RowName {
  readonly store: StoreName
  readonly load: string
  /** Length of the load. */
  readonly seconds: number
}

/** Response times in milliseconds, and the part of the time in which the service's first thread waited for a processor. */
export interface Phase {
  readonly p50: number
  readonly p99: number
  /** Null where the system does not count it. */
  readonly waited: number | null
}

/** One load on one store: the measured tenant alone before and after it, and beside it. */
export interface MeasuredRow extends RowName, LoadCounts {
  readonly before: Phase
  readonly beside: Phase
  readonly after: Phase
}

export interface FailedRow extends RowName {
  readonly error: string
}

export type Row = MeasuredRow | FailedRow

/** Seconds after the load in which the service ends what it has begun for it. */
const rest = 10

/** Longest time of the calls that fill caches, open connections and are compiled. */
const longestWarmUp = 10

/** A store of a row's own, so that no row works on what the one before has left. */
interface RowStore {
  readonly url: string | undefined
  /** Does now what would otherwise be done in a phase: work of the store, and of the operating system for its files. */
  settle(): Promise<void>
  remove(): Promise<void>
}

async function createStore(name: StoreName): Promise<RowStore> {
  const sync = () => promisify(execFile)('sync')
  if (name === 'embedded') return { url: undefined, settle: async () => void (await sync()), async remove() {} }
  const server = await startPostgres({ durable: true })
  const url = server.urlOf('attacked')
  await server.run('create database attacked')
  return {
    url,
    async settle() {
      await connected(url, async client => {
        await client.query('vacuum analyze')
        await client.query('checkpoint')
      })
      await sync()
    },
    remove: server.remove,
  }
}

/** Measures the calls of one tenant alone for half of the time, beside the load of the other, and alone again. */
export async function measureRow(row: RowName): Promise<MeasuredRow> {
  const { load, seconds } = row
  const store = await createStore(row.store)
  try {
    const target = await startTarget('staging', store.url, {
      // As in production.
      LOCKERFLOW_RATE_LIMIT: String(rateLimit),
      LOCKERFLOW_BODY_RATE: '8',
      LOCKERFLOW_LOG_LEVEL: 'error',
    })
    try {
      const scene = await createScene(target)
      const attacker = await prepareAttacker(load, target)
      const call = () => bookAndCancel(scene)
      const measure = (length: number) => measurePhase(target.pid, call, length)
      const settle = async () => {
        await store.settle()
        await measureCalls(call, Math.min(longestWarmUp, seconds / 3))
      }
      await settle()
      const before = await measure(seconds / 2)
      attacker.start()
      const beside = await Promise.race([measure(seconds), attacker.failed])
      const counts = await attacker.stop()
      await delay(Math.min(rest, seconds / 3) * 1_000)
      await settle()
      return { ...row, ...counts, before, beside, after: await measure(seconds / 2) }
    } finally {
      await target.stop()
    }
  } finally {
    await store.remove()
  }
}

async function measurePhase(pid: number, call: () => Promise<unknown>, seconds: number): Promise<Phase> {
  const waitedBefore = await readWaited(pid)
  const durations = await measureCalls(call, seconds)
  const waitedAfter = await readWaited(pid)
  const waited = waitedBefore === null || waitedAfter === null ? null : (waitedAfter - waitedBefore) / seconds / 1_000
  return { p50: percentile(durations, 0.5), p99: percentile(durations, 0.99), waited }
}

/** Milliseconds for which the first thread of a process was ready and had no processor. Null on other systems than Linux. */
async function readWaited(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => undefined)
  return text === undefined ? null : Number(text.split(' ')[1]) / 1_000_000
}

/** Books a locker and cancels it, as the other tenant does all day. */
async function bookAndCancel({ victim, foreign }: Scene): Promise<void> {
  const booked = await victim.call('CreateLocalShipmentAsStock', requests.CreateLocalShipmentAsStock(foreign))
  const [shipmentUid] = expectSuccess(booked).shipmentUids as string[]
  expectSuccess(await victim.call('CancelShipment', { shipmentUid }))
}
