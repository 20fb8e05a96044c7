import { readTemporalConnection } from '#client/connection'
import { readDataConverter } from '#codec'
import { readTogether, readVariables, type Source, taskQueueVariable } from '#contract/settings'

/** The address, namespace and task queue of the flows, and the codec of their histories. */
export interface TemporalTarget extends ReturnType<typeof readTemporalConnection> {
  readonly taskQueue: string
  readonly dataConverter: ReturnType<typeof readDataConverter>
}

/**
 * Reads the target of commands that talk to flows.
 * @throws SettingsError
 */
export function readTemporalTarget(source: Source): TemporalTarget {
  const { temporal, dataConverter, values } = readTogether({
    temporal: () => readTemporalConnection(source),
    dataConverter: () => readDataConverter(source),
    values: () => readVariables(source, taskQueueVariable),
  })
  return { ...temporal, dataConverter, taskQueue: values.LOCKERFLOW_TASK_QUEUE }
}
