import { argv } from 'node:process'
import { Client, Connection, WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client'
import type { SweepOrder, SweepReport } from '#contract/terms'
import { readPlace, unreachable } from '#worker'
import { readArguments } from './sweep/arguments.ts'
import { reportOf } from './sweep/report.ts'
import { scheduleId, scheduleSweep, unscheduleSweep } from './sweep/schedule.ts'

/** Milliseconds after which somebody is told why nothing happens. */
const patience = 5_000

// A sweep is a workflow: the worker has the credentials of the service, and Temporal keeps what was done.
try {
  const { order, json, every } = readArguments(argv.slice(2))
  const { temporal, namespace, taskQueue } = readPlace()
  const { address = '127.0.0.1:7233', apiKey, tls, metadata } = temporal
  const connection = await Connection.connect({
    address,
    ...(apiKey && { apiKey }),
    ...(tls && { tls }),
    ...(metadata && { metadata }),
  }).catch(error => {
    throw unreachable(address, error)
  })
  const client = new Client({ connection, namespace })
  try {
    if (every === 'off') {
      console.log((await unscheduleSweep(client)) ? `schedule ${scheduleId} ended` : `there was no ${scheduleId}`)
    } else if (every !== undefined) {
      await scheduleSweep(client, taskQueue, order, every)
      console.log(`schedule ${scheduleId}: ${order.act} every ${every / 60_000} min, on task queue ${taskQueue}`)
    } else {
      const report = await sweep(client, taskQueue, order)
      console.log(json ? JSON.stringify(report, undefined, 2) : reportOf(report, order).join('\n'))
    }
  } finally {
    await connection.close()
  }
} catch (error) {
  console.error(`sweep: ${textOf(error)}`)
  process.exitCode = 1
}

async function sweep(client: Client, taskQueue: string, order: SweepOrder): Promise<SweepReport> {
  const handle = await client.workflow.start('sweep', { workflowId: 'sweep', taskQueue, args: [order] })
  const where = `task queue ${taskQueue}, namespace ${client.options.namespace}`
  const hint = setTimeout(() => console.error(`sweep: waiting for a worker on ${where}`), patience)
  try {
    return await handle.result()
  } finally {
    clearTimeout(hint)
  }
}

function textOf(error: unknown): string {
  if (error instanceof WorkflowExecutionAlreadyStartedError) return 'a sweep is under way; it is the workflow sweep'
  if (error instanceof WorkflowFailedError) return textOf(deepest(error))
  return error instanceof Error ? error.message : String(error)
}

function deepest(error: Error): Error {
  return error.cause instanceof Error ? deepest(error.cause) : error
}
