/** Programs of users, which the tests write into folders with installed packages. */
export const programs = {
  /** Plays the people of a service that runs elsewhere, without the syntax of Node 24. */
  'connect.js': `import { Client, Connection } from '@temporalio/client'
import { connectLockers, startLockers, startService } from '@lockerflow/testing'

const [baseUrl, caseNo] = process.argv.slice(2)
const connection = await Connection.connect({ address: process.env.TEMPORAL_ADDRESS })
const credentials = { clientId: 'acme', clientSecret: 'acme-secret' }
const lockers = await connectLockers({ baseUrl, ...credentials, client: new Client({ connection }) })
await lockers.people.dropOff(caseNo)
console.log(await lockers.people.openWithWrongCode(caseNo))
await lockers.people.pickUp(caseNo)
await lockers.stop()
await connection.close()
if (Number.parseInt(process.versions.node, 10) < 24)
  for (const start of [startLockers, startService]) await start().catch(error => console.log(error.message))
`,

  'greet.js': `export async function greet(name) {
  return 'Hello, ' + name
}
`,

  /** A worker with a workflow of its own and the plugin, which books a locker too. */
  'plugin.js': `import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { NativeConnection, Worker } from '@temporalio/worker'
import { createFlowClient } from 'lockerflow/client'
import { createFlowsPlugin } from 'lockerflow/worker'

const address = process.env.TEMPORAL_ADDRESS
const connection = await NativeConnection.connect({ address })
const workflowsPath = fileURLToPath(import.meta.resolve('./greet.js'))
const [baseUrl, request] = process.argv.slice(2)
const api = { baseUrl, authUrl: baseUrl, clientId: 'acme', clientSecret: 'acme-secret' }
const plugins = [await createFlowsPlugin({ api })]
const worker = await Worker.create({ connection, taskQueue: 'own', workflowsPath, plugins })
const client = new Client({ connection: await Connection.connect({ address }) })
const flows = createFlowClient(client, { taskQueue: 'own' })
await worker.runUntil(async () => {
  const options = { taskQueue: 'own', workflowId: 'greet', args: ['Kim'], workflowExecutionTimeout: '60s' }
  console.log(await client.workflow.execute('greet', options))
  console.log((await flows.startAndWaitForBooking('stock', { caseNo: 'plugin', request: JSON.parse(request) })).kind)
  console.log((await flows.cancel('plugin', 'over')).outcome)
})
await client.connection.close()
await connection.close()
`,

  'gateway.js': `import { startGateway } from 'lockerflow/gateway'

const gateway = await startGateway({ port: 0 })
console.log('gateway', gateway.port > 0)
await gateway.stop()
`,

  /** The file of a service in a program grows, although the log never had the 1,000 pages at which SQLite itself copies them. */
  'store.js': `import { statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { startService } from 'lockerflow/service'

const { store, stop } = await startService({ databaseUrl: 'file:service.db', port: 0, publicUrl: 'http://localhost' })
const before = statSync('service.db').size
const name = 'P'.repeat(200)
await store.transaction().execute(async tx => {
  for (let n = 0; n < 600; n++)
    await tx.insertInto('pick_up_points').values({ pup_uid: String(n), name, time_zone: 'UTC' }).execute()
})
for (let waited = 0; waited < 600 && statSync('service.db').size === before; waited++) await delay(100)
console.log(statSync('service.db').size > before, statSync('service.db-wal').size < 1_000 * 4_096)
await stop()
`,

  /** A worker with a flow and an activity of a team. */
  'worker.js': `import { Client, Connection } from '@temporalio/client'
import { createFlowClient } from 'lockerflow/client'
import { startWorker } from 'lockerflow/worker'

const labelled = {
  name: 'labelledStock',
  summary: 'Stock with a label.',
  steps: [
    { name: 'booking', summary: 'A locker is booked.', book: 'CreateLocalShipmentAsStock' },
    {
      ...{ name: 'label', summary: 'The label is printed.', run: 'printLabel', timeout: '30s' },
      ...{ with: { device: { from: 'stock.shipmentUid' } }, keep: { labelNo: 'text' }, undo: { leaves: 'The label.' } },
    },
    { name: 'dropOff', summary: 'The item comes.', wait: { stock: 'WaitForReceiver' }, window: '48h', onTimeout: 'cancel' },
  ],
  outputs: { labelNo: 'label.labelNo' },
}
const activities = { printLabel: async ({ device }, { caseNo }) => ({ labelNo: caseNo + ' ' + typeof device }) }
const [baseUrl, request] = process.argv.slice(2)
const api = { baseUrl, authUrl: baseUrl, clientId: 'acme', clientSecret: 'acme-secret' }
const worker = await startWorker({ taskQueue: 'own-process', api, flows: [labelled], activities })
console.log((await worker.notReadyReason()) ?? 'ready')
const connection = await Connection.connect({ address: process.env.TEMPORAL_ADDRESS })
const flows = createFlowClient(new Client({ connection }), { taskQueue: 'own-process', flows: [labelled] })
console.log((await flows.startAndWaitForBooking('labelledStock', { caseNo: 'own', request: JSON.parse(request) })).kind)
for await (const change of flows.watch('own')) if (change.kind === 'Stage' && change.stage === 'dropOff') break
await flows.cancel('own', 'over')
const { result } = await flows.result('own')
console.log(result.outcome, result.labelNo)
await connection.close()
await worker.stop()
`,

  'cases.test.js': `import { describe, test } from 'node:test'
import { describeCases, simulate } from 'lockerflow/cases'

await describeCases({ describe, test }, { cases: ['stock.yaml'] })
test('simulate', async () => {
  const request = { PupUid: 'pup-1', AllowLargerLockers: true, AllowOverflowLockers: false, Dimension: { width: 30, height: 15, length: 40 } }
  const { outcome } = await simulate({ flow: 'stock', request, story: [{ cancel: 'over' }] })
  if (outcome !== 'cancelled') throw new Error(outcome)
})
`,

  /** Records a flow into a folder, and replays the folder. */
  'record.js': `import { mkdir } from 'node:fs/promises'
import { startLockers } from '@lockerflow/testing'

const [folder, request] = process.argv.slice(2)
const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = process.env
await using lockers = await startLockers({ temporal: { address, namespace } })
await lockers.flows.startAndWaitForBooking('stock', { caseNo: 'recorded', request: JSON.parse(request) })
await lockers.flows.cancel('recorded', 'over')
await mkdir(folder)
await lockers.recordHistory('recorded', folder + '/recorded.json')
console.log(await lockers.replay(folder))
`,

  'express.js': `import express from 'express'
import { createReceiver } from 'lockerflow/gateway'

const receiver = createReceiver({ keys: { current: process.env.LOCKERFLOW_CALLBACK_KEY } })
const app = express()
app.post('/callbacks', receiver.handle)
const server = app.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port))
`,

  'filter.js': `import { createFlowClient } from '@lockerflow/client'
import { Client, Connection } from '@temporalio/client'

const flows = createFlowClient(new Client({ connection: Connection.lazy() }))
console.log((await flows.list({ where: 'colour = 1' })).message)
`,

  'address.js': `import { createApi } from '@lockerflow/api'

const api = createApi({ baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', clientId: 'a', clientSecret: 'b' })
await api.call('GetPickUpPoints', {}).catch(error => console.log(error.message))
`,

  /** Prints the milliseconds of an import after Temporal's client was loaded: processor time and elapsed time. */
  'load.js': `await import('@temporalio/client')
const [clock, before] = [performance.now(), process.cpuUsage()]
await import('@lockerflow/client')
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 1000, performance.now() - clock)
`,
} as const

/**
 * Prints how long a service and a whole stack take to start, in milliseconds of the clock and of this process. A start that
 * misses its bar on a busy machine is repeated, and the best one counts.
 */
export const starts = `import { startLockers, startService } from '@lockerflow/testing'

const attempts = 4

async function measure(start) {
  const [clock, before] = [performance.now(), process.cpuUsage()]
  await using started = await start()
  const { user, system } = process.cpuUsage(before)
  return { clock: performance.now() - clock, processor: (user + system) / 1000 }
}
async function best(start, bar) {
  const all = []
  while (all.length < attempts && !all.some(({ clock }) => clock < bar)) all.push(await measure(start))
  const least = name => Math.min(...all.map(each => each[name]))
  return { clock: least('clock'), processor: least('processor') }
}
// The first one loads the code.
await measure(startService)
console.log(JSON.stringify({ service: await best(startService, 500), lockers: await best(startLockers, 5_000) }))
`
