// Starts a flow, decides after a window has passed, and prints the result. See ../README.md.
import { json } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import { createFlowClient, type Decision, type FlowName, type InputOf } from 'lockerflow/client'
import { readDataConverter } from 'lockerflow/codec'

/** The error of an answer that ends the program: its code and a sentence. */
function toError({ kind, code = kind, message }: { kind: string; code?: string; message?: string }): Error {
  const sentence =
    kind === 'CaseFinished' ? 'the case was started before and has ended.' : 'no response yet; try again.'
  return new Error(`${code}: ${message ?? sentence}`)
}

try {
  const [flow, decision, by] = process.argv.slice(2) as [FlowName, Decision['decision'], Decision['by']]
  const input = (await json(process.stdin)) as InputOf<FlowName>
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig()
  const connection = await Connection.connect(connectionOptions)
  const taskQueue = process.env.LOCKERFLOW_TASK_QUEUE ?? 'lockerflow'
  const client = new Client({ connection, namespace, dataConverter: readDataConverter() })
  const flows = createFlowClient(client, { taskQueue })
  const booked = await flows.startAndWaitForBooking(flow, input, { timeout: 30_000 })
  if (booked.kind !== 'Booked') throw toError(booked)
  for (const { role, lockerName, pupUid } of booked.shipments) {
    console.log(`booked: ${role} in locker ${lockerName} at ${pupUid}`)
  }
  let current = await flows.status(input.caseNo)
  while (current.kind === 'Status' && ['booking', 'waiting'].includes(current.status.state)) {
    await setTimeout(500)
    current = await flows.status(input.caseNo)
  }
  if (current.kind !== 'Status') throw toError(current)
  if (current.status.state === 'overdue') {
    console.log(`status: overdue in ${current.status.stage}`)
    const decided = await flows.decide(input.caseNo, { decision, ...(by && { by }) })
    if (decided.kind !== 'Decided') throw toError(decided)
    console.log(`decided: ${decision}`)
  }
  const ended = await flows.result(input.caseNo)
  if (ended.kind !== 'Ended') throw toError(ended)
  console.log('result:', JSON.stringify(ended.result))
  await connection.close()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
