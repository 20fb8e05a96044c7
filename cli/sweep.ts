import { argv } from 'node:process'
import { Client, WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client'
import { loadFlows } from '#declarations'
import { priorities, type SweepInput, type SweepReport } from '#flows'
import { readTemporalTarget } from '#worker'
import { readFlowFiles } from './environment.ts'
import { readArguments } from './sweep/arguments.ts'
import { formatReport } from './sweep/report.ts'
import { scheduleId, scheduleSweep, unscheduleSweep } from './sweep/schedule.ts'
import { connectTemporal } from './temporalConnection.ts'

/** Milliseconds until the operator reads that no worker has responded. */
const hintDelay = 5_000

// A sweep is a workflow, since only the worker has the service's credentials. Temporal keeps its history.
try {
  const { input, json, interval } = readArguments(argv.slice(2), await readOwnFlows())
  const { temporal, namespace, taskQueue, dataConverter } = readTemporalTarget()
  const connection = await connectTemporal(temporal)
  const client = new Client({ connection, namespace, ...(dataConverter && { dataConverter }) })
  try {
    if (interval === 'off') {
      console.log(
        (await unscheduleSweep(client)) ? `schedule ${scheduleId} deleted` : `schedule ${scheduleId} does not exist`,
      )
    } else if (interval !== undefined) {
      await scheduleSweep(client, taskQueue, input, interval)
      console.log(`schedule ${scheduleId}: ${input.act} every ${interval / 60_000} min, on task queue ${taskQueue}`)
    } else {
      const report = await sweep(client, taskQueue, input)
      console.log(json ? JSON.stringify(report, undefined, 2) : formatReport(report, input).join('\n'))
    }
  } finally {
    await connection.close()
  }
} catch (error) {
  console.error(`sweep: ${toMessage(error)}`)
  process.exitCode = 1
}

/** The names of the flows in the files of the setting. The worker that sweeps has loaded and checked them itself. */
async function readOwnFlows(): Promise<string[]> {
  const files = readFlowFiles()
  return files ? Object.keys((await loadFlows([files])).flows) : []
}

async function sweep(client: Client, taskQueue: string, input: SweepInput): Promise<SweepReport> {
  const priority = { priorityKey: priorities.sweep }
  const handle = await client.workflow.start('sweep', { workflowId: 'sweep', taskQueue, args: [input], priority })
  const where = `task queue ${taskQueue}, namespace ${client.options.namespace}`
  const hint = setTimeout(() => console.error(`sweep: waiting for a worker on ${where}`), hintDelay)
  try {
    return await handle.result()
  } finally {
    clearTimeout(hint)
  }
}

function toMessage(error: unknown): string {
  if (error instanceof WorkflowExecutionAlreadyStartedError) return 'another sweep is running, as the workflow "sweep"'
  if (error instanceof WorkflowFailedError) return toMessage(findRootCause(error))
  return error instanceof Error ? error.message : String(error)
}

function findRootCause(error: Error): Error {
  return error.cause instanceof Error ? findRootCause(error.cause) : error
}
