import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { type Calendars, testCalendars } from '#activities/calendars'
import type { Api } from '#contract/client'
import { flows as builtIn, type FlowDeclaration, mapSteps } from '#flows'
import { demoTopology, type Topology } from '#service'
import { startStack } from '#testing/stack'
import { bundleFlows } from '#worker'
import { type PlayedRuns, playedActivities, withPlayedNames } from './activities.ts'
import { RealFaults } from './faults.ts'
import { createDelay } from './times.ts'

export interface RealPartsOptions {
  /** A running server. Its namespace must be for tests. */
  readonly temporal: { readonly address: string; readonly namespace: string }
  /** Flows in addition to the built-in ones. */
  readonly flows?: readonly FlowDeclaration[]
  readonly windowFactor: number
  /** By default those of `testCalendars`. */
  readonly calendars?: Calendars
  /** Built by the worker if absent. */
  readonly bundle?: { readonly code: string }
}

/** Service, gateway and worker on a running Temporal, for test cases. */
export interface RealParts {
  readonly api: Api
  readonly client: Client
  readonly taskQueue: string
  readonly topology: Topology
  readonly windowFactor: number
  readonly bundle: { readonly code: string }
  readonly faults: RealFaults
  /** The results of activities, by case number. */
  readonly played: Map<string, PlayedRuns>
  /** Stops the worker, which forgets its flows, and starts another one. */
  replaceWorker(): Promise<void>
  stop(): Promise<void>
}

/** Items that a case leaves in a locker stay there. */
const topology: Topology = {
  ...demoTopology,
  pickUpPoints: demoTopology.pickUpPoints.map(pickUpPoint => ({
    ...pickUpPoint,
    lockers: [{ names: '1-500', width: 40, height: 40, length: 60 }],
  })),
}

/** Starts the parts, and waits until they are ready. @throws Error when one does not start; those before it are stopped */
export async function startRealParts(options: RealPartsOptions): Promise<RealParts> {
  const { temporal, flows = [], windowFactor, calendars = testCalendars } = options
  const faults = new RealFaults()
  const played = new Map<string, PlayedRuns>()
  const taskQueue = `cases-${randomUUID()}`
  const bundle = options.bundle ?? (await bundleFlows())
  const stack = await startStack({
    temporal,
    wired: true,
    parts: {
      service: { databaseUrl: 'file::memory:', topology },
      worker: async () => ({
        taskQueue,
        createDelay,
        catalogue: Object.fromEntries(Object.values(builtIn).map(flow => [flow.name, withPlayedNames(flow)])),
        flows: flows.map(onOwnQueue),
        activities: playedActivities(flows, faults, windowFactor, caseNo => played.get(caseNo)),
        windowFactor,
        calendars,
        bundle,
      }),
    },
  })
  faults.rule(stack.wires)
  return {
    api: stack.api,
    client: stack.client,
    taskQueue,
    topology,
    windowFactor,
    bundle,
    faults,
    played,
    replaceWorker: stack.restartWorker,
    async stop() {
      await stack.stop()
      await stack.client.connection.close()
    },
  }
}

/** One worker runs the activities of all queues. */
function onOwnQueue(flow: FlowDeclaration): FlowDeclaration {
  const steps = mapSteps(flow.steps, step => {
    if (!('run' in step)) return step
    const { taskQueue: _, ...own } = step
    return own
  })
  return { ...flow, steps }
}
