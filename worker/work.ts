import type { InjectedSinks } from '@temporalio/worker'
import { createActivities, type FlowActivities } from '#activities'
import type { Api } from '#contract/client'
import { flows as builtIn, type CallbackSinks } from '#flows'
import { createFlowService } from '#worker/nexus'
import { checkOwnFlows } from './ownFlows.ts'
import type { WorkerSettings } from './settings.ts'
import { toSinks } from './sinks.ts'

/** The parts of a worker that run flows: the same for our own worker and for one that has the plugin. */
export interface Work {
  /** Every flow, by name. */
  readonly declared: NonNullable<WorkerSettings['catalogue']>
  /** Without those of a team. */
  readonly activities: FlowActivities
  readonly nexusService: ReturnType<typeof createFlowService>
  /** The calls of flows to this worker. */
  readonly sinks: InjectedSinks<CallbackSinks>
}

/** @throws Error when a flow or activity of the team is invalid */
export function createWork(settings: WorkerSettings, api: Api): Work {
  const { catalogue = builtIn, flows = [], environment, privateAddresses, earlyPoll } = settings
  // Programs in JavaScript pass the flows of `loadFlows`, which have their names as keys.
  if (!Array.isArray(flows)) throw new TypeError('flows: must be a list of declarations, such as Object.values(flows).')
  const declared = { ...catalogue, ...Object.fromEntries(flows.map(flow => [flow.name, flow])) }
  const callbacks = earlyPoll === undefined ? undefined : { earlyPoll, arrive: false }
  const activities = createActivities(api, {
    ...settings,
    flows: declared,
    // Tests of staging have shorter ones.
    ...(environment === 'production' && { minWindow: 60_000 }),
    ...(callbacks && { callbacks }),
    privateAddresses: environment === 'staging' && privateAddresses !== false,
  })
  checkOwnFlows(settings, Object.keys(activities))
  const sinks = toSinks(() => {
    if (callbacks !== undefined) callbacks.arrive = true
  })
  return { declared, activities, nexusService: createFlowService(declared), sinks }
}
