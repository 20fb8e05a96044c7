// Onboards the customer and starts a repair: node start.ts R-1001. See ../README.md.
import { setTimeout } from 'node:timers/promises'
import { createFlowClient } from '@lockerflow/client'
import { Client, Connection } from '@temporalio/client'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import type { repairProcess } from './workflows.ts'

const repairNo = process.argv[2] ?? 'R-1001'
const { connectionOptions, namespace = 'default' } = loadClientConnectConfig()
const connection = await Connection.connect(connectionOptions)
const client = new Client({ connection, namespace })
const flows = createFlowClient(client)

const person = { emailAddress: 'kim@example.com', firstName: 'Kim', lastName: 'Park', pickUpPointUid: 'pup-1' }
const account = await flows.startAndWaitForEnd('onboardAccount', { caseNo: `${repairNo}-account`, request: person })
if (account.kind !== 'Ended') throw new Error(account.message)

const customerUid = account.result.userUid ?? ''
const order = { repairNo, pupUid: 'pup-1', customerUid, seconds: 5, flowsQueue: 'lockerflow' }
const repair = await client.workflow.start<typeof repairProcess>('repairProcess', {
  taskQueue: process.env.REPAIR_TASK_QUEUE ?? 'repairs',
  workflowId: `repair:${repairNo}`,
  args: [order],
})

// The child starts a moment later than its parent.
let intake = await flows.status(`${repairNo}-in`)
while (intake.kind !== 'Status' || intake.status.stage !== 'dropOff') {
  const { status } = await repair.describe()
  if (status.name !== 'RUNNING') throw new Error(`repair:${repairNo} is ${status.name}. Use a number that is new.`)
  await setTimeout(200)
  intake = await flows.status(`${repairNo}-in`)
}
console.log(`${repairNo} waits for the device in locker ${intake.status.shipments[0]?.lockerName}`)
await connection.close()
