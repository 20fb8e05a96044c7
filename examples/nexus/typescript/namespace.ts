// Makes the namespace of the team, and waits until the server knows it: node namespace.ts shop. See ../README.md.
import { setTimeout } from 'node:timers/promises'
import { Connection, isGrpcServiceError } from '@temporalio/client'
import { loadClientConnectConfig } from '@temporalio/envconfig'

/** gRPC: the namespace exists. */
const alreadyExists = 6

const namespace = process.argv[2] ?? 'shop'
const connection = await Connection.connect(loadClientConnectConfig().connectionOptions)
const { workflowService } = connection
// One day. Temporal's type of a number with 64 bits is an object, and it accepts a number too.
const workflowExecutionRetentionPeriod = { seconds: 86_400 as never }
await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod }).catch(error => {
  if (!isGrpcServiceError(error) || error.code !== alreadyExists) throw error
})
while (!(await workflowService.describeNamespace({ namespace }).catch(() => undefined))) await setTimeout(200)
console.log(`namespace ready: ${namespace}`)
await connection.close()
