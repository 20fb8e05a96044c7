// Runs the workflow and its activity on a task queue of its own. See ../README.md.
import { fileURLToPath } from 'node:url'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import { NativeConnection, Worker } from '@temporalio/worker'
import * as activities from './activities.ts'

const taskQueue = process.env.REPAIR_TASK_QUEUE ?? 'repairs'
const { connectionOptions, namespace = 'default' } = loadClientConnectConfig()
const connection = await NativeConnection.connect(connectionOptions)
const workflowsPath = fileURLToPath(new URL('./workflows.ts', import.meta.url))
const worker = await Worker.create({ connection, namespace, taskQueue, workflowsPath, activities })
console.log(`worker ready: task queue ${taskQueue}`)
await worker.run()
await connection.close()
