// Starts a flow, decides once a window has passed, and prints the result; see ../README.md.
import { json } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import { createFlowClient, type Decision, type FlowInput, type FlowName } from '#client'

function refusal({ kind, code = kind, message }: { kind: string; code?: string; message?: string }): Error {
  const unsaid = kind === 'CaseFinished' ? 'the case was started before and has ended.' : 'no answer yet; ask again.'
  return new Error(`${code}: ${message ?? unsaid}`)
}

try {
  const [flow, decision, by] = process.argv.slice(2) as [FlowName, Decision['decision'], Decision['by']]
  const input = (await json(process.stdin)) as FlowInput
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig()
  const connection = await Connection.connect(connectionOptions)
  const taskQueue = process.env.LOCKERFLOW_TASK_QUEUE ?? 'lockerflow'
  const flows = createFlowClient(new Client({ connection, namespace }), { taskQueue })
  const booked = await flows.startAndWaitForBooking(flow, input, { deadline: 30_000 })
  if (booked.kind !== 'Booked') throw refusal(booked)
  for (const { role, lockerName, pupUid } of booked.shipments) {
    console.log(`booked: ${role} in locker ${lockerName} at ${pupUid}`)
  }
  let answer = await flows.status(input.caseNo)
  while (answer.kind === 'Status' && ['booking', 'waiting'].includes(answer.status.state)) {
    await setTimeout(500)
    answer = await flows.status(input.caseNo)
  }
  if (answer.kind !== 'Status') throw refusal(answer)
  if (answer.status.state === 'overdue') {
    console.log(`status: overdue in ${answer.status.stage}`)
    const decided = await flows.decide(input.caseNo, { decision, ...(by && { by }) })
    if (decided.kind !== 'Decided') throw refusal(decided)
    console.log(`decided: ${decision}`)
  }
  const ended = await flows.result(input.caseNo)
  if (ended.kind !== 'Ended') throw refusal(ended)
  console.log('result:', JSON.stringify(ended.result))
  await connection.close()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
