import { fastify } from 'fastify'
import type { Logger } from 'pino'
import { healthPaths } from '#contract'
import { limitArrival, listen } from '#platform/http'
import { toListenerAddress } from '#platform/settings'
import { adapterRoutes } from './adapterRoutes.ts'
import { controlRoutes } from './controlRoutes.ts'
import { createDoor, type SimulatedDoor } from './doors.ts'
import { createEventSender } from './eventSender.ts'

export interface SimulatorSettings {
  readonly host: string
  /** 0: a free port. */
  readonly port: number
  /** Newest first. */
  readonly keys: readonly string[]
  /** Returns the service's address for events. None are sent while it is undefined. */
  readonly eventsUrl: () => string | undefined
  /** Milliseconds after which an open door closes; 0 is never. */
  readonly closeAfter: number
  readonly doors: readonly { readonly pupUid: string; readonly lockerUid: string }[]
  readonly log?: Logger
}

export interface Simulator {
  /** The value of LOCKERFLOW_HARDWARE_URL. */
  readonly address: string
  stop(): Promise<void>
}

/** Milliseconds within which a request must arrive completely. */
const arrivalTimeout = 15_000

/** Starts an adapter whose doors exist in memory only. @throws Error when the port is in use */
export async function startSimulator(settings: SimulatorSettings): Promise<Simulator> {
  const { host, keys, eventsUrl: url, closeAfter, log } = settings
  const onRefused = (reason: string) =>
    log?.warn({ logId: 'door-event-not-accepted', reason }, 'door event not accepted')
  const events = createEventSender({ url, keys, onRefused })
  const doors = new Map<string, SimulatedDoor>(
    settings.doors.map(door => [door.lockerUid, createDoor({ ...door, closeAfter, report: events.send })]),
  )
  const app = fastify(limitArrival(arrivalTimeout))
  app.register(async scope =>
    adapterRoutes(scope, {
      keys,
      find: (pupUid, lockerUid) => {
        const door = doors.get(lockerUid)
        return door?.status().pupUid === pupUid ? door : undefined
      },
    }),
  )
  app.register(async scope =>
    controlRoutes(scope, {
      find: lockerUid => doors.get(lockerUid),
      list: () => [...doors.values()].map(door => door.status()),
      pendingEvents: events.pending,
    }),
  )
  app.get(healthPaths.live, async () => ({ live: true }))
  const listening = await listen(app, settings)
  return {
    address: toListenerAddress(host, listening),
    async stop() {
      for (const door of doors.values()) door.stop()
      // Requests that hang do not end by themselves.
      app.server.closeAllConnections()
      await Promise.all([app.close(), events.stop()])
    },
  }
}
