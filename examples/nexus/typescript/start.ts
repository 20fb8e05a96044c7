// Runs bookStock, which books a locker by Nexus, and prints its name: node start.ts S-1001. See ../README.md.
import { Client, Connection } from '@temporalio/client'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import type { bookStock } from './workflows.ts'

const caseNo = process.argv[2] ?? 'S-1001'
const { connectionOptions, namespace = 'shop' } = loadClientConnectConfig()
const connection = await Connection.connect(connectionOptions)
const lockerName = await new Client({ connection, namespace }).workflow.execute<typeof bookStock>('bookStock', {
  taskQueue: process.env.SHOP_TASK_QUEUE ?? 'shop',
  workflowId: `stock:${caseNo}`,
  args: [{ endpoint: 'lockerflow', caseNo, pupUid: 'pup-1' }],
})
console.log(`${caseNo} is booked in locker ${lockerName}`)
await connection.close()
