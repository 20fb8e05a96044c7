import { randomUUID } from 'node:crypto'
import { readCalendars, testCalendars } from '#activities/calendars'
import { createFlowClient } from '#client'
import { createApi } from '#contract/client'
import type { FlowDeclaration } from '#flows/declaration'
import { createSnapshots, createStarter, startStack } from '#testing/stack'
import { startPlayer } from '#testing/story/arrivals'
import { bundleFlows, ensureRuntime } from '#worker'
import { createFaults } from '../faults.ts'
import { startNotificationReceiver } from '../notifications.ts'
import { createPeople } from '../people.ts'
import { createTraffic } from '../traffic.ts'
import type { Lockers, LockersOptions } from '../types.ts'
import { recordHistory, replayFolder } from './histories.ts'
import { toSetup } from './service.ts'

/** Callbacks wake the player, but none reports that a flow is overdue. Milliseconds. */
const playerInterval = 500

let built: ReturnType<typeof bundleFlows> | undefined

function buildOnce() {
  built ??= bundleFlows()
  return built
}

/** See `startLockers`. */
export async function startLockers<Own extends FlowDeclaration>(options: LockersOptions<Own>): Promise<Lockers<Own>> {
  const { flows = [], activities = {}, temporal = 'own', progress } = options
  const calendars = options.calendars === undefined ? testCalendars : readCalendars(options.calendars, 'calendars')
  // While Temporal starts: both take a second.
  const bundle = options.bundle ?? buildOnce()
  ensureRuntime('ERROR')
  const { settings, credentials, dispatcher } = toSetup(options)
  const taskQueue = `testing-${randomUUID()}`
  const starter = createStarter()
  try {
    const receiver = await startNotificationReceiver()
    starter.add(() => receiver.stop())
    const stack = await startStack({
      temporal,
      webUi: false,
      ahead: 0,
      wired: true,
      ...(progress && { progress }),
      parts: {
        credentials,
        service: settings,
        worker: async api => ({
          // Requests for a token are requests of the flows too.
          api: { ...api, authUrl: api.baseUrl },
          taskQueue,
          flows,
          activities,
          calendars,
          notifications: receiver.settings,
          bundle: await bundle,
        }),
      },
    })
    const { client, api, clock, wires } = stack
    starter.add(() => client.connection.close())
    starter.add(() => stack.stop())
    const address = wires.toLockers.address
    const lockersApi = createApi({ baseUrl: address, authUrl: address, ...credentials })
    starter.add(() => lockersApi.close())
    const snapshots = createSnapshots(stack)
    const start = await snapshots.take()
    const ownFlows = createFlowClient<Own>(client, { taskQueue, flows })
    const people = createPeople({ api: lockersApi, flows: ownFlows, clock })
    const player = startPlayer({ api: lockersApi, flows: ownFlows, dispatcher, interval: playerInterval })
    starter.add(() => player.stop())

    const { notifications } = receiver
    const { callbacks, requests, noteCallback, noteRequest } = createTraffic()
    wires.toService.onPassed = noteRequest
    wires.toGateway.onPassed = passed => {
      noteCallback(passed)
      player.wake()
    }
    const faults = createFaults(wires)

    return {
      service: { url: stack.serviceAddress, credentials },
      gateway: { url: stack.gatewayAddress },
      temporal: { address: stack.temporalAddress, namespace: stack.namespace, taskQueue },
      api,
      client,
      flows: ownFlows,
      people,
      notifications,
      callbacks,
      requests,
      faults,
      clock,
      snapshot: snapshots.take,
      restore: snapshots.restore,
      async reset() {
        faults.clear()
        await snapshots.restore(start)
        for (const journal of [callbacks, requests, notifications]) journal.clear()
      },
      replay: async path => replayFolder(path, await bundle),
      recordHistory: (caseNo, file) => recordHistory(client, caseNo, file),
      stop: starter.stop,
      [Symbol.asyncDispose]: starter.stop,
    }
  } catch (error) {
    await starter.stop().catch(() => undefined)
    throw error
  }
}
