import { Client, WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { readTemporalTarget } from '#client/connection'
import { priorities, type SweepInput, type SweepReport } from '#flows'
import { loadFlows } from '#flows/check'
import { readFlowFiles } from '#platform/environment'
import { unlessAborted } from '#platform/interruption'
import { CommandFailure, exitCodes, failed, ReportedFailure } from '../command/failure.ts'
import type { VerbAction, VerbCall } from '../command/verb.ts'
import { connectTemporal } from '../temporalConnection.ts'
import { readSweep } from './arguments.ts'
import { count, countRefused, formatReport } from './report.ts'
import { scheduleId, scheduleSweep, unscheduleSweep } from './schedule.ts'

/** Milliseconds until the operator reads that no worker has responded. */
const hintDelay = 5_000

const alreadyRunning =
  'Wait until it ends. If its workflow tasks fail, terminate it: temporal workflow terminate --workflow-id sweep'

/** A sweep is a workflow, since only the worker has the service's credentials. Temporal keeps its history. */
export const sweep: VerbAction = {
  async run(call) {
    const { output } = call
    const { input, interval } = readSweep(call, await readOwnFlows(call.environment))
    const { temporal, namespace, taskQueue, dataConverter } = readTemporalTarget(call.environment)
    const connection = await connectTemporal(temporal)
    const client = new Client({ connection, namespace, dataConverter })
    try {
      if (interval === 'off') {
        const deleted = await unscheduleSweep(client)
        output.result({ scheduleId, deleted }, () => [
          deleted ? `schedule ${scheduleId} deleted` : `schedule ${scheduleId} does not exist`,
        ])
      } else if (interval !== undefined) {
        await scheduleSweep(client, taskQueue, input, interval)
        output.result({ scheduleId, interval, taskQueue, ...input }, () => [
          `schedule ${scheduleId}: ${input.act} every ${interval / 60_000} min, on task queue ${taskQueue}`,
        ])
      } else {
        const report = await runSweep(client, taskQueue, input, call)
        output.result(report, () => formatReport(report, input))
        const refused = countRefused(report, input)
        const cases = count(report.cases.length, 'case')
        const remedy = 'Read the reasons above, then sweep again.'
        if (refused > 0) throw new ReportedFailure(`${refused} of ${cases} could not be processed.`, remedy)
      }
    } finally {
      await connection.close()
    }
  },
}

/** The names of the flows in the files of the setting. The worker that sweeps has loaded and checked them itself. */
async function readOwnFlows(source: NodeJS.ProcessEnv): Promise<string[]> {
  const files = readFlowFiles(source)
  return files ? Object.keys((await loadFlows([files])).flows) : []
}

async function runSweep(
  client: Client,
  taskQueue: string,
  input: SweepInput,
  { output, signal }: VerbCall,
): Promise<SweepReport> {
  const priority = { priorityKey: priorities.sweep }
  const where = `task queue ${taskQueue}, namespace ${client.options.namespace}`
  let hint: NodeJS.Timeout | undefined
  try {
    const handle = await client.workflow.start('sweep', { workflowId: 'sweep', taskQueue, args: [input], priority })
    hint = setTimeout(() => output.note(`sweep: waiting for a worker on ${where}`), hintDelay)
    return await unlessAborted(handle.result(), signal).catch(async error => {
      // It would wait for a worker, and cancel bookings long after its operator has left.
      if (signal.aborted) await handle.cancel()
      throw error
    })
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError)
      throw failed('another sweep is running, as the workflow "sweep".', alreadyRunning)
    if (error instanceof WorkflowFailedError) throw failureOf(findRootCause(error))
    throw error
  } finally {
    clearTimeout(hint)
  }
}

/** The failure of an activity has the code of the service and the id of its request. */
function failureOf(root: Error): CommandFailure {
  if (!(root instanceof ApplicationFailure) || !/^[A-Z][a-z]\w*$/.test(root.type ?? '')) return failed(root.message)
  const [answered] = (root.details ?? []) as [{ readonly requestId?: unknown }?]
  const requestId = typeof answered?.requestId === 'string' ? answered.requestId : undefined
  return new CommandFailure(root.type ?? '', root.message, { exitCode: exitCodes.failed, requestId })
}

function findRootCause(error: Error): Error {
  return error.cause instanceof Error ? findRootCause(error.cause) : error
}
