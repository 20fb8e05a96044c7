import type { Client } from '@temporalio/client'
import { createFlowClient } from '#client'
import { type Api, createApi } from '#contract/client'
import { isStaging, startPlayer } from '#testing/story/arrivals'
import { requireKnown } from './options.ts'
import { createPeople, type People } from './people.ts'

/** A running service and Temporal. */
export interface ConnectOptions {
  /** Address of a service in staging, and of its token endpoint. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** Temporal's client of the namespace in which the flows run. */
  readonly client: Client
  /** The user name of the tenant's dispatcher, `acme` by default. */
  readonly dispatcher?: string
}

/** The people of a service that runs elsewhere. Its clock is that of its machine. */
export interface ConnectedLockers extends AsyncDisposable {
  readonly api: Api
  readonly people: Omit<People, 'neverCome'>
  stop(): Promise<void>
}

const known = {
  baseUrl: true,
  clientId: true,
  clientSecret: true,
  client: true,
  dispatcher: true,
} as const satisfies Record<keyof ConnectOptions, true>

/** Milliseconds. */
const interval = 500

/**
 * Plays the people of a service in staging that runs elsewhere, including those of cases and users with a story. Node 20.19 is
 * enough.
 *
 * ```ts
 * await using lockers = await connectLockers({ baseUrl, clientId, clientSecret, client })
 * await lockers.people.dropOff('R-1001')
 * ```
 *
 * @throws Error for an unknown option, and for a service in production, which has no simulated lockers
 */
export async function connectLockers(options: ConnectOptions): Promise<ConnectedLockers> {
  requireKnown(options, known)
  const { baseUrl, clientId, clientSecret, client, dispatcher = 'acme' } = options
  const api = createApi({ baseUrl, authUrl: baseUrl, clientId, clientSecret })
  try {
    if (!(await isStaging(api)))
      throw new Error(`baseUrl: must be a service in staging, since ${baseUrl} has no simulated lockers.`)
  } catch (error) {
    await api.close()
    throw error
  }
  const flows = createFlowClient(client)
  const people = createPeople({ api, flows })
  const player = startPlayer({ api, flows, dispatcher, interval })
  async function stop(): Promise<void> {
    await player.stop()
    await api.close()
  }
  return { api, people, stop, [Symbol.asyncDispose]: stop }
}
