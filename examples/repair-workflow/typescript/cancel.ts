// Cancels a repair and prints its result: node cancel.ts R-1001. See ../README.md.
import { Client, Connection } from '@temporalio/client'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import type { repairProcess } from './workflows.ts'

const { connectionOptions, namespace = 'default' } = loadClientConnectConfig()
const connection = await Connection.connect(connectionOptions)
const repair = new Client({ connection, namespace }).workflow.getHandle<typeof repairProcess>(
  `repair:${process.argv[2] ?? 'R-1001'}`,
)
await repair.cancel()
const { outcome, leftOver } = await repair.result()
console.log(`${outcome}, ${leftOver.length} left over`)
await connection.close()
