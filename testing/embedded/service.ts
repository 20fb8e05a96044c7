import { createApi } from '#contract/client'
import { demoTopology, readTopology, type Settings, startService as startServer } from '#service'
import { createClock } from '#testing/stack'
import { createPeople } from '../people.ts'
import type { LockerService, ServiceOptions } from '../types.ts'

/** Milliseconds: a callback that a fault has stopped is tried again soon after it. */
const delivery = { initialInterval: 100, maximumInterval: 500, pollInterval: 200 }

/** Seconds: ten years, since tokens would expire whenever the clock moves, and clients renew them once a second only. */
const tokenLifetime = 315_360_000

export interface ServiceSetup {
  readonly settings: Partial<Settings>
  /** The user name of the dispatcher of the tenant whose client the test uses. */
  readonly dispatcher: string
  readonly credentials: LockerService['credentials']
}

/**
 * The settings of a service for tests, in memory.
 * @throws Error for a topology without a tenant
 */
export function toSetup({ topology }: ServiceOptions): ServiceSetup {
  const read = typeof topology === 'string' ? readTopology(topology) : (topology ?? demoTopology)
  const settings = { databaseUrl: 'file::memory:', delivery, tokenLifetime, topology: read }
  const [tenant] = read.tenants
  const [client] = tenant?.clients ?? []
  if (tenant === undefined || client === undefined) throw new Error('topology: must have a tenant with an API client.')
  const { clientId, clientSecret } = client
  return { settings, dispatcher: tenant.dispatcher.userName, credentials: { clientId, clientSecret } }
}

export async function startService(options: ServiceOptions): Promise<LockerService> {
  const clock = createClock(() => {
    throw new Error('The service alone has no flows.')
  })
  const { settings, credentials } = toSetup(options)
  const service = await startServer({ ...settings, port: 0, clock: clock.now })
  const api = createApi({ baseUrl: service.address, authUrl: service.address, ...credentials })
  async function stop(): Promise<void> {
    await api.close()
    await service.stop()
  }
  return {
    url: service.address,
    credentials,
    api,
    people: createPeople({ api, clock }),
    clock,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
