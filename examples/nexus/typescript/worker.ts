// Runs the workflows on a task queue of its own. See ../README.md.
import { fileURLToPath } from 'node:url'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import { NativeConnection, Worker } from '@temporalio/worker'

const taskQueue = process.env.SHOP_TASK_QUEUE ?? 'shop'
const { connectionOptions, namespace = 'default' } = loadClientConnectConfig()
const connection = await NativeConnection.connect(connectionOptions)
const workflowsPath = fileURLToPath(new URL('./workflows.ts', import.meta.url))
const worker = await Worker.create({ connection, namespace, taskQueue, workflowsPath })
console.log(`worker ready: task queue ${taskQueue}`)
await worker.run()
await connection.close()
