import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { measureQuietAndBusy } from '../../support/service/fairness.ts'
import { type PostgresServer, startPostgres } from '../../support/setup/postgresServer.ts'
import { requests } from '../operations.ts'
import { createScene, expectSuccess, type Scene } from '../scene.ts'
import { type StartedTarget, startTarget } from '../startTargets.ts'
import { loads, rateLimit } from './loads.ts'

const loadProcess = fileURLToPath(new URL('./loadProcess.ts', import.meta.url))
const names = Object.keys(loads)
const seconds = Number(process.env.LOCKERFLOW_ATTACK_SECONDS ?? 60)

/** Books a locker and cancels it, as the other tenant does all day. */
async function bookAndCancel({ victim, foreign }: Scene): Promise<void> {
  const booked = await victim.call('CreateLocalShipmentAsStock', requests.CreateLocalShipmentAsStock(foreign))
  const [shipmentUid] = expectSuccess(booked).shipmentUids as string[]
  expectSuccess(await victim.call('CancelShipment', { shipmentUid }))
}

interface PreparedLoad {
  /** Begins the load. Returns when it has ended. */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** How often the load began its work in each second. A row with 0 shows nothing. */
  readonly rate: () => number
}

/** Prepares a load in a process of its own, so that its requests do not delay the measured ones in this one. */
async function prepareLoad(name: string, target: StartedTarget): Promise<PreparedLoad> {
  const child = fork(loadProcess, [name, JSON.stringify(target)], { stdio: 'inherit' })
  const ended = once(child, 'exit').then(([code]) => code as number)
  const message = await Promise.race([once(child, 'message'), ended])
  if (!Array.isArray(message)) throw new Error(`the preparation of the load ended with ${message}`)
  let turns = 0
  let duration = 0
  child.on('message', count => {
    turns = Number(count)
  })
  return {
    async run(signal) {
      const startedAt = performance.now()
      const abort = () => {
        duration = performance.now() - startedAt
        child.kill('SIGTERM')
      }
      signal.addEventListener('abort', abort, { once: true })
      child.send('begin')
      const code = await ended
      if (!signal.aborted) throw new Error(`the load ended with ${code}`)
    },
    rate: () => Math.round((turns / duration) * 100_000) / 100,
  }
}

describe.each(['embedded', 'postgres'] as const)('on the %s store', store => {
  let server: PostgresServer | undefined
  beforeAll(async () => {
    if (store === 'postgres') server = await startPostgres({ durable: true })
  })
  afterAll(async () => {
    await server?.remove()
  })

  test.each(names)('p99 of one tenant stays below three times the quiet one beside %s', async name => {
    const database = `attack_${names.indexOf(name)}`
    await server?.run(`create database ${database}`)
    const target: StartedTarget = await startTarget('staging', server?.urlOf(database), {
      // As in production.
      LOCKERFLOW_RATE_LIMIT: String(rateLimit),
      LOCKERFLOW_BODY_RATE: '8',
    })
    try {
      const scene = await createScene(target)
      const load = await prepareLoad(name, target)
      const quiet = () => bookAndCancel(scene)
      const { quietP99, busyP99 } = await measureQuietAndBusy({ quiet, worst: load.run, seconds })
      console.log(`${store}, ${name}: p99 ${quietP99} ms alone, ${busyP99} ms beside ${load.rate()} of it per second`)
      expect(load.rate()).toBeGreaterThan(0)
      expect(busyP99).toBeLessThan(3 * quietP99)
    } finally {
      await target.stop()
    }
  })
})
