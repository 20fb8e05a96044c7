import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { connected, startPostgres } from '../../support/setup/postgresServer.ts'
import { requests } from '../operations.ts'
import { createScene, expectSuccess, type Scene } from '../scene.ts'
import { startTarget } from '../startTargets.ts'
import { rateLimit, serviceLoads } from './loads.ts'
import { startSilentResolver } from './resolver.ts'
import type { Site } from './site.ts'

interface Store {
  readonly url: string | undefined
  settle(): Promise<void>
  remove(): Promise<void>
}

/** Starts a service on a store of its own, whose measured tenant books a locker and cancels it, as it does all day. */
export async function startServiceSite(store: 'embedded' | 'postgres', load: string): Promise<Site> {
  const parts: (() => Promise<void>)[] = []
  async function stop(): Promise<void> {
    for (let next = parts.pop(); next !== undefined; next = parts.pop()) await next()
  }
  try {
    const { url, settle, remove } = store === 'embedded' ? embeddedStore : await createDatabase()
    parts.push(remove)
    const resolver = serviceLoads[load]?.withoutNames ? await startSilentResolver() : undefined
    if (resolver !== undefined) parts.push(resolver.stop)
    const target = await startTarget('staging', url, variables, resolver?.command)
    parts.push(target.stop)
    const scene = await createScene(target)
    return { target, pid: target.pid, call: () => bookAndCancel(scene), settle, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** As in production. */
const variables = {
  LOCKERFLOW_RATE_LIMIT: String(rateLimit),
  LOCKERFLOW_LOG_LEVEL: 'error',
}

const embeddedStore: Store = { url: undefined, settle: writeFiles, async remove() {} }

async function createDatabase(): Promise<Store> {
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
      await writeFiles()
    },
    remove: server.remove,
  }
}

/** Writes what the operating system has kept of all files. */
export async function writeFiles(): Promise<void> {
  await promisify(execFile)('sync')
}

async function bookAndCancel({ victim, foreign }: Scene): Promise<void> {
  const booked = await victim.call('CreateLocalShipmentAsStock', requests.CreateLocalShipmentAsStock(foreign))
  const [shipmentUid] = expectSuccess(booked).shipmentUids as string[]
  expectSuccess(await victim.call('CancelShipment', { shipmentUid }))
}
