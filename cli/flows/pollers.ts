import { readTemporalTarget } from '#client/connection'
import type { Fault, LoadedFlows } from '#declarations'
import type { FlowDeclaration } from '#flows/declaration'
import { connectTemporal, isPolled } from '../temporalConnection.ts'

/** Milliseconds for all task queues together. */
const askTimeout = 10_000

interface RunPlace {
  readonly flow: string
  readonly index: number
  readonly run: string
  /** Undefined for the task queue of the flows. */
  readonly taskQueue: string | undefined
}

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
  const { temporal, namespace, taskQueue: ownQueue } = readTemporalTarget(environment)
  const places = Object.values(loaded.flows).flatMap(runPlaces)
  const queueOf = ({ taskQueue = ownQueue }: RunPlace) => taskQueue
  const connection = await connectTemporal(temporal)
  try {
    const names = [...new Set(places.map(queueOf))]
    const polled = await connection.withDeadline(Date.now() + askTimeout, () =>
      Promise.all(
        names.map(async name => [name, await isPolled(connection.workflowService, namespace, name)] as const),
      ),
    )
    const unpolled = new Set(polled.filter(([, isPolled]) => !isPolled).map(([name]) => name))
    return places
      .filter(place => unpolled.has(queueOf(place)))
      .map(place => toUnpolled(loaded, place, `${queueOf(place)} of the namespace ${namespace}`))
  } finally {
    await connection.close()
  }
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
    text: `must be on a task queue that a worker polls, no worker polls ${queue} for the activity ${run}.`,
  })
}
