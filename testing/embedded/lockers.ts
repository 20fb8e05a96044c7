import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCalendars, testCalendars } from '#activities/calendars'
import { createFlowClient } from '#client'
import { createApi } from '#contract/client'
import type { FlowDeclaration } from '#flows/declaration'
import { createClock, type Stack, startStack } from '#testing/stack'
import { type Player, startPlayer } from '#testing/story'
import { bundleFlows, ensureRuntime } from '#worker'
import { createFaults } from '../faults.ts'
import { startNotificationReceiver } from '../notifications.ts'
import { createPeople } from '../people.ts'
import { createTraffic } from '../traffic.ts'
import type { Lockers, LockersOptions } from '../types.ts'
import { type Passed, startWire, type Wire } from '../wire.ts'
import { recordHistory, replayFolder } from './histories.ts'
import { toSetup } from './service.ts'
import { createSnapshots } from './snapshots.ts'

/** Milliseconds. A test that depends on a callback must not pass by a poll. The clock of the test passes polls too. */
const pollInterval = { initial: 3_600_000, maximum: 86_400_000 }

/** Callbacks wake the player, but none reports that a flow is overdue. Milliseconds. */
const playerInterval = 500

let built: ReturnType<typeof bundleFlows> | undefined

function buildOnce() {
  built ??= bundleFlows()
  return built
}

/** See `startLockers`. */
export async function startEmbedded<Own extends FlowDeclaration>(options: LockersOptions<Own>): Promise<Lockers<Own>> {
  const { flows = [], activities = {}, temporal = 'own', progress = () => undefined } = options
  const calendars = options.calendars === undefined ? testCalendars : readCalendars(options.calendars, 'calendars')
  // While Temporal starts: both take a second.
  const bundle = options.bundle ?? buildOnce()
  ensureRuntime('ERROR')
  const ends: (() => Promise<unknown>)[] = []
  async function stop(): Promise<void> {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
  }
  async function lay(target: () => string, onPassed?: (passed: Passed) => void): Promise<Wire> {
    const wire = await startWire(target, undefined, onPassed)
    ends.push(() => wire.stop())
    return wire
  }

  try {
    const folder = await mkdtemp(join(tmpdir(), 'lockerflow-testing-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    const running: { stack?: Stack } = {}
    const clock = createClock(() => requireStack(running).client)
    const { settings, credentials, dispatcher } = toSetup(options, clock.now)
    const traffic = createTraffic()
    const toService = await lay(() => requireStack(running).serviceAddress, traffic.noteRequest)
    const toLockers = await lay(() => requireStack(running).serviceAddress)
    const wake: { player?: Player } = {}
    const toGateway = await lay(
      () => requireStack(running).gatewayAddress,
      passed => {
        traffic.noteCallback(passed)
        wake.player?.wake()
      },
    )
    const faults = createFaults({ toGateway, toService, toLockers })
    const receiver = await startNotificationReceiver()
    ends.push(() => receiver.stop())
    const taskQueue = `testing-${randomUUID()}`

    const stack = await startStack({
      folder,
      progress,
      webUi: false,
      temporal,
      parts: {
        credentials,
        service: settings,
        gateway: { url: toGateway.address, clock: clock.now },
        worker: async () => ({
          taskQueue,
          pollInterval,
          flows,
          activities,
          calendars,
          api: apiAt(toService.address),
          notifications: receiver.settings,
          clock: clock.at,
          clockAhead: clock.aheadOf,
          bundle: await bundle,
        }),
      },
    })
    running.stack = stack
    const { client, api, service, gatewayAddress, temporalAddress, namespace } = stack
    ends.push(() => client.connection.close())
    ends.push(() => stack.stop())
    const lockersApi = createApi(apiAt(toLockers.address))
    ends.push(() => lockersApi.close())
    const snapshots = createSnapshots({ folder, service, client, clock, toService, toGateway })
    const start = await snapshots.take()
    const ownFlows = createFlowClient<Own>(client, { taskQueue, flows })

    const people = createPeople({ api: lockersApi, flows: ownFlows, clock })
    wake.player = startPlayer({ api: lockersApi, flows: ownFlows, dispatcher, interval: playerInterval })
    ends.push(() => wake.player?.stop() ?? Promise.resolve())

    return {
      service: { url: service.address, credentials },
      gateway: { url: gatewayAddress },
      temporal: { address: temporalAddress, namespace, taskQueue },
      api,
      client,
      flows: ownFlows,
      people,
      notifications: receiver.notifications,
      callbacks: traffic.callbacks,
      requests: traffic.requests,
      faults,
      clock,
      snapshot: snapshots.take,
      restore: snapshots.restore,
      async reset() {
        faults.clear()
        await snapshots.restore(start)
        for (const journal of [traffic.callbacks, traffic.requests, receiver.notifications]) journal.clear()
      },
      replay: async path => replayFolder(path, await bundle),
      recordHistory: (caseNo, file) => recordHistory(client, caseNo, file),
      stop,
      [Symbol.asyncDispose]: stop,
    }

    function apiAt(address: string) {
      return { baseUrl: address, authUrl: address, ...credentials }
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function requireStack({ stack }: { readonly stack?: Stack }): Stack {
  if (stack === undefined) throw new Error('The stack has not started yet.')
  return stack
}
