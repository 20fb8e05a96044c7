import { Client, Connection } from '@temporalio/client'
import { type Api, createApi } from '#contract/client'
import { fullProfile } from '#contract/terms'
import { createOpeners, type Openers } from '#testing/story/people'
import type { WorkerSettings } from '#worker'
import { bookingAt, credentials } from '../bookings/places.ts'
import { startService } from '../bookings/runningService.ts'
import { embedded } from '../bookings/stores.ts'
import { startGatewayProcess } from './gatewayProcess.ts'
import { type TemporalName, temporals } from './temporals.ts'

/** Temporal's server, the service and the gateway as separate processes; callers and people run in this one. */
export interface World {
  readonly client: Client
  readonly api: Api
  readonly people: Openers
  readonly userUid: string
  readonly pids: { readonly service: number; readonly gateway: number }
  /** The settings of a worker, except its task queue. */
  readonly workerSettings: Omit<WorkerSettings, 'taskQueue'>
  /** The parcel of the next booking; bookings are spread evenly over the pick up points. */
  nextParcel(): ReturnType<typeof bookingAt>
  /** Processor seconds of Temporal's server and its store; zero without /proc. */
  temporalSeconds(): number
  stop(): Promise<void>
}

/**
 * Starts the processes on new stores. If one fails to start, the processes before it are stopped.
 * @param variables further settings of service and gateway
 */
export async function startWorld(
  variables: Readonly<Record<string, string>> = {},
  temporal: TemporalName = 'dev',
): Promise<World> {
  const stops: (() => Promise<unknown>)[] = []
  async function stop(): Promise<void> {
    for (let next = stops.pop(); next !== undefined; next = stops.pop()) await next()
  }
  try {
    const own = await temporals[temporal]()
    stops.push(own.stop)
    const { address, namespace } = own.temporal
    const store = await embedded.make()
    stops.push(() => store.remove())
    const service = await startService(store.databaseUrl, 'many', variables)
    stops.push(() => service.stop())
    const gateway = await startGatewayProcess(service.origin, own.temporal, variables)
    stops.push(() => gateway.stop())
    const connection = await Connection.connect({ address })
    stops.push(() => connection.close())
    const apiSettings = { baseUrl: service.origin, authUrl: service.origin, ...credentials }
    const api = createApi(apiSettings)
    stops.push(() => api.close())
    let booked = 0
    return {
      client: new Client({ connection, namespace }),
      api,
      people: createOpeners(api),
      userUid: await makeUser(api),
      pids: { service: service.pid, gateway: gateway.pid },
      workerSettings: {
        temporal: { address },
        namespace,
        environment: 'staging',
        api: apiSettings,
        profile: fullProfile,
        pollInterval: { initial: 3_600_000, maximum: 86_400_000 },
      },
      nextParcel: () => bookingAt(booked++),
      temporalSeconds: own.seconds,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function makeUser(api: Api): Promise<string> {
  const { userUid } = await api.call('CreateOrGetAccount', {
    emailAddress: 'robin@example.org',
    firstName: 'Robin',
    lastName: 'Reader',
    pickUpPointUid: bookingAt(0).PupUid,
  })
  if (userUid === null) throw new Error('The service created no account.')
  return userUid
}
