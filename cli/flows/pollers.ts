import type { Connection } from '@temporalio/client'
import { readTemporalTarget, type TemporalTarget } from '#client/connection'
import { toOutsideQueue } from '#contract/terms'
import type { Fault, LoadedFlows } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'
import { connectTemporal, isPolled } from '../temporalConnection.ts'

/** Milliseconds for all task queues together. */
const askTimeout = 10_000

/** A run step and the task queue of its activity. */
interface RunPlace {
  readonly flow: string
  readonly index: number
  readonly run: string
  /** Undefined for the task queue of the flows. */
  readonly taskQueue: string | undefined
}

/** Flows by name. */
type Flows = Readonly<Record<string, FlowDeclaration>>

/**
 * A fault `NoPoller` for each run step whose task queue no worker polls for activities. Reads the address of Temporal, its
 * namespace and the task queue of the flows from the settings.
 * @throws SettingsError
 * @throws Error if Temporal cannot be reached
 */
export async function findUnpolledQueues(
  loaded: Pick<LoadedFlows, 'flows' | 'toFault'>,
  environment: NodeJS.ProcessEnv,
): Promise<Fault[]> {
  const target = readTemporalTarget(environment)
  const connection = await connectTemporal(target.temporal)
  try {
    const unpolled = await connection.withDeadline(Date.now() + askTimeout, () =>
      findUnpolledRuns(connection, target, loaded.flows),
    )
    return unpolled.map(place => {
      return toUnpolled(loaded, place, `${queueOf(place, target.taskQueue)} of the namespace ${target.namespace}`)
    })
  } finally {
    await connection.close()
  }
}

/** The run steps of flows whose task queue no worker polls for activities. */
export async function findUnpolledRuns(
  { workflowService }: Connection,
  { namespace, taskQueue: ownQueue }: Pick<TemporalTarget, 'namespace' | 'taskQueue'>,
  flows: Flows,
): Promise<RunPlace[]> {
  const places = Object.values(flows).flatMap(runPlaces)
  const names = [...new Set(places.map(place => queueOf(place, ownQueue)))]
  const polled = await Promise.all(names.map(name => isPolled(workflowService, namespace, name)))
  const unpolled = new Set(names.filter((_, index) => !polled[index]))
  return places.filter(place => unpolled.has(queueOf(place, ownQueue)))
}

/** Workers of the flows run the activities of steps on their second task queue. */
function queueOf(place: RunPlace, ownQueue: string): string {
  const { taskQueue = ownQueue } = place
  return taskQueue === ownQueue ? toOutsideQueue(ownQueue) : taskQueue
}

function runPlaces({ name, steps }: FlowDeclaration): RunPlace[] {
  return [...steps.entries()].flatMap(([index, step]) =>
    'run' in step ? [{ flow: name, index, run: step.run, taskQueue: step.taskQueue }] : [],
  )
}

function toUnpolled({ toFault }: Pick<LoadedFlows, 'toFault'>, place: RunPlace, queue: string): Fault {
  const { flow, index, run, taskQueue } = place
  return toFault(flow, {
    at: ['steps', index, taskQueue === undefined ? 'run' : 'taskQueue'],
    code: 'NoPoller',
    text: `must be on a task queue that a worker polls, but no worker polls ${queue} for the activity ${run}.`,
  })
}
