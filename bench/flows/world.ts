import type { Client } from '@temporalio/client'
import type { Api } from '#contract/client'
import { fullProfile } from '#contract/terms'
import { createStarter, startStack } from '#testing/stack'
import { createOpeners, type Openers } from '#testing/story/people'
import type { WorkerSettings } from '#worker'
import { startProcess, toVariables } from '../../testing/stack/process.ts'
import { bookingAt, credentials } from '../bookings/places.ts'
import { startService } from '../bookings/runningService.ts'
import { embedded } from '../bookings/stores.ts'
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

const gatewayVariables = {
  LOCKERFLOW_HOST: '127.0.0.1',
  LOCKERFLOW_GATEWAY_PORT: '0',
  LOCKERFLOW_CALLBACK_KEY: 'a-key-of-the-benchmarks-alone',
}

/**
 * Starts the processes on new stores. If one fails to start, the processes before it are stopped.
 * @param variables further settings of service and gateway
 */
export async function startWorld(
  variables: Readonly<Record<string, string>> = {},
  temporal: TemporalName = 'dev',
): Promise<World> {
  const starter = createStarter()
  try {
    const own = await temporals[temporal]()
    starter.add(own.stop)
    const store = await embedded.make()
    starter.add(() => store.remove())
    let gatewayPid = 0
    const stack = await startStack({
      temporal: own.temporal,
      parts: {
        credentials,
        service: () => startService(store.databaseUrl, 'many', { variables }),
        async gateway(api, place) {
          const env = { PATH: process.env.PATH, ...toVariables(api, place), ...gatewayVariables, ...variables }
          const gateway = await startProcess('gateway', { env })
          gatewayPid = gateway.pid
          return gateway
        },
        worker: false,
      },
    })
    const { api, client, namespace, temporalAddress, serviceAddress } = stack
    starter.add(() => client.connection.close())
    starter.add(() => stack.stop())
    let booked = 0
    return {
      client,
      api,
      people: createOpeners(api),
      userUid: await makeUser(api),
      pids: { service: stack.service.pid, gateway: gatewayPid },
      workerSettings: {
        temporal: { address: temporalAddress },
        namespace,
        environment: 'staging',
        api: { baseUrl: serviceAddress, authUrl: serviceAddress, ...credentials },
        profile: fullProfile,
        pollInterval: { initial: 3_600_000, maximum: 86_400_000 },
      },
      nextParcel: () => bookingAt(booked++),
      temporalSeconds: own.seconds,
      stop: starter.stop,
    }
  } catch (error) {
    await starter.stop().catch(() => undefined)
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
