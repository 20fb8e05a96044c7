import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { webhookHeaders, webhookSignature } from '#contract'
import { shopPackages, writeShop } from '../../release/index.ts'
import { blocksIn } from '../docs/blocks.ts'
import { startCommand } from '../docs/commands.ts'
import { root } from '../project/sources.ts'
import {
  emptyFolder,
  everyNode,
  installTimeout,
  npmInstall,
  olderNodes,
  pnpmAdd,
  type RunningDev,
  removeFolders,
  run,
  startDev,
} from '../support/packages/installed.ts'
import { packed } from '../support/packages/packed.ts'

const temporalVersion = '1.24.0'
const expressVersion = '5.3.0'

const client = { npm: '', pnpm: '' }
let everything: string
let api: string
let apiByPnpm: string
let dev: RunningDev | undefined
let nodes: readonly [oldest: string, ...others: string[]]

beforeAll(async () => {
  const files = await packed()
  const fileOf = (name: string) => files.find(each => each.name === name)?.file ?? ''
  const wanted = [fileOf('@lockerflow/client'), `@temporalio/client@${temporalVersion}`]
  nodes = await everyNode()
  client.npm = await emptyFolder()
  client.pnpm = await emptyFolder()
  everything = await emptyFolder()
  api = await emptyFolder()
  apiByPnpm = await emptyFolder()
  const [node20, node22] = nodes
  const [, install = ''] = (await readmeBlock('.', 'sh')).split('\n')
  const names = install.replace('npm install ', '').split(' ')
  expect(await readmeBlock('.', 'sh')).toContain('npx lockerflow dev\n')
  await Promise.all([
    npmInstall(client.npm, [...wanted, ...shopPackages], node20),
    pnpmAdd(client.pnpm, wanted, { node: node20 }),
    npmInstall(everything, [
      ...names.map(name => fileOf(name) || `${name}@${temporalVersion}`),
      ...[fileOf('@lockerflow/testing'), `express@${expressVersion}`],
    ]),
    npmInstall(api, [fileOf('@lockerflow/api')], node22),
    pnpmAdd(apiByPnpm, [fileOf('@lockerflow/api')], { node: node22 }),
  ])
  dev = await startDev(everything)
}, 2 * installTimeout)

afterAll(async () => {
  await dev?.command.stop()
  await removeFolders()
})

function started(): RunningDev {
  if (dev === undefined) throw new Error('nothing runs')
  return dev
}

/** A block of a language on the page of a package, the first one by default. */
async function readmeBlock(folder: string, language: string, index = 0): Promise<string> {
  const blocks = blocksIn(await readFile(join(root, folder, 'README.md'), 'utf8'))
  return blocks.filter(block => block.language === language)[index]?.text ?? ''
}

/** The people of a service that runs elsewhere, without the syntax of Node 24. */
const connected = `import { Client, Connection } from '@temporalio/client'
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
if (!process.version.startsWith('v24.'))
  for (const start of [startLockers, startService]) await start().catch(error => console.log(error.message))
`

test('the pages of the packages run in an empty folder, on every Node', { timeout: installTimeout }, async () => {
  const { baseUrl, temporal: connection } = started()
  const bin = join(everything, 'node_modules', '.bin')
  const runs = [
    { folder: everything, page: '.', node: process.execPath },
    { folder: client.pnpm, page: 'packages/client', node: process.execPath },
    ...nodes.map(node => ({ folder: client.npm, page: 'packages/client', node })),
  ]
  const book = async ({ folder, page, node }: (typeof runs)[number], index: number) => {
    const program = (await readmeBlock(page, 'ts')).replace('A-1001', `A-${index}`).replace('I-1001', `I-${index}`)
    expect(program.split('\n').filter(line => line !== '').length).toBeLessThanOrEqual(10)
    // The programs have no types, so every Node runs them.
    await writeFile(join(folder, `book${index}.js`), program)
    const ended = await run(folder, [node, `book${index}.js`], connection)
    expect({ node, ...ended }).toMatchObject({ code: 0, stdout: 'Booked\n' })
  }
  await Promise.all(runs.map(book))

  const listers = [api, apiByPnpm, api] as const
  for (const folder of listers) await writeFile(join(folder, 'list.js'), await readmeBlock('packages/api', 'ts'))
  await writeFile(join(everything, 'connect.js'), connected)
  const call = async (node: string, index: number) => {
    const listed = await run(listers[index] ?? api, [node, 'list.js'], { LOCKERFLOW_BASE_URL: baseUrl })
    expect({ node, ...listed }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^pup-\d pup-\d\n$/) })
    const played = await run(everything, [node, 'connect.js', baseUrl, `I-${index}`], connection)
    const refused =
      node === process.execPath
        ? ''
        : 'Node must be 24 or later to start the service in this process, and is [^\n]+ use connectLockers.\n'
    const lines = new RegExp(`^InvalidAccessCode\n(${refused}){2}$`)
    expect({ node, ...played }).toMatchObject({ code: 0, stdout: expect.stringMatching(lines) })
  }
  await Promise.all(nodes.map(call))

  // The project of `init` resolves the packages of the folder above it.
  const lockerflow = [process.execPath, join(bin, 'lockerflow')] as const
  expect(await run(everything, [...lockerflow, 'init', 'shop', '--yes'])).toMatchObject({ code: 0 })
  const shop = join(everything, 'shop')
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  expect(await run(shop, [process.execPath, tsc])).toMatchObject({ code: 0, stdout: '' })
  const variables = { ...connection, LOCKERFLOW_BASE_URL: baseUrl }
  const printed = await run(shop, [process.execPath, '--env-file=.env', 'start.ts', 'S-1001'], variables)
  expect(printed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Booked \[ '\w+' \]\n$/) })
  expect(await run(shop, [process.execPath, '--test'])).toMatchObject({ code: 0 })
  expect(await run(shop, [...lockerflow, 'init', 'flow', 'keyReturn'])).toMatchObject({ code: 0 })
  const cases = ['cases/keyReturn.yaml', '--flows', 'flows/keyReturn.yaml']
  const tested = await run(shop, [...lockerflow, 'flows', 'test', ...cases])
  expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining('2 passed') })
})

const ownWorkflow = `export async function greet(name) {
  return 'Hello, ' + name
}
`
const ownWorker = `import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { NativeConnection, Worker } from '@temporalio/worker'
import { createFlowsPlugin } from 'lockerflow/worker'

const address = process.env.TEMPORAL_ADDRESS
const connection = await NativeConnection.connect({ address })
const workflowsPath = fileURLToPath(import.meta.resolve('./greet.js'))
const plugins = [await createFlowsPlugin()]
const worker = await Worker.create({ connection, taskQueue: 'own', workflowsPath, plugins })
const client = new Client({ connection: await Connection.connect({ address }) })
const options = { taskQueue: 'own', workflowId: 'greet', args: ['Kim'], workflowExecutionTimeout: '60s' }
console.log(await worker.runUntil(client.workflow.execute('greet', options)))
await client.connection.close()
await connection.close()
`
const ownProcess = `import { startGateway } from 'lockerflow/gateway'
import { startWorker } from 'lockerflow/worker'

const gateway = await startGateway({ port: 0 })
const worker = await startWorker({ taskQueue: 'own-process' })
console.log((await worker.notReadyReason()) ?? 'ready', gateway.port > 0)
await worker.stop()
await gateway.stop()
`
const ownCases = `import { describe, test } from 'node:test'
import { describeCases, simulate } from 'lockerflow/cases'

await describeCases({ describe, test }, { cases: ['stock.yaml'] })
test('simulate', async () => {
  const request = { PupUid: 'pup-1', AllowLargerLockers: true, AllowOverflowLockers: false, Dimension: { width: 30, height: 15, length: 40 } }
  const { outcome } = await simulate({ flow: 'stock', request, story: [{ cancel: 'over' }] })
  if (outcome !== 'cancelled') throw new Error(outcome)
})
`

test('the entries of workers, gateways and test cases run', { timeout: installTimeout }, async () => {
  const connection = started().temporal
  const cases = await readFile(join(root, 'flows', 'cases', 'stock.yaml'), 'utf8')
  const files = { 'greet.js': ownWorkflow, 'worker.js': ownWorker, 'process.js': ownProcess, 'cases.test.js': ownCases }
  for (const [name, text] of Object.entries({ ...files, 'stock.yaml': cases }))
    await writeFile(join(everything, name), text)
  const start = (...args: string[]) => run(everything, [process.execPath, ...args], connection)
  expect(await start('worker.js')).toMatchObject({ code: 0, stdout: 'Hello, Kim\n' })
  expect(await start('process.js')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ready true$/m) })
  expect(await start('--test', 'cases.test.js')).toMatchObject({ code: 0 })
})

test('CommonJS loads the packages for older Nodes on the oldest one', async () => {
  const [node] = nodes
  for (const [folder, name, value] of [
    [client.npm, '@lockerflow/client', 'createFlowClient'],
    [api, '@lockerflow/api/contract', 'verifyCallback'],
    [everything, '@lockerflow/testing', 'connectLockers'],
  ] as const) {
    const program = `console.log(typeof require('${name}').${value})`
    expect(await run(folder, [node, '-e', program])).toMatchObject({ stdout: 'function\n' })
  }
})

const expressServer = `import express from 'express'
import { createReceiver } from 'lockerflow/gateway'

const receiver = createReceiver({ keys: { current: process.env.LOCKERFLOW_CALLBACK_KEY } })
const app = express()
app.post('/callbacks', receiver.handle)
const server = app.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port))
`

test('receivers in Express and in node:http accept signed callbacks only', async () => {
  const key = 'a-key-of-32-characters-for-a-test'
  const listening = 'server.listen(8090)'
  const verifying = await readmeBlock('packages/api', 'ts', 1)
  expect(verifying).toContain(listening)
  const print = "server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port))"
  await writeFile(join(api, 'receive.js'), verifying.replace(listening, print))
  await writeFile(join(everything, 'express.js'), expressServer)
  const variables = { LOCKERFLOW_CALLBACK_KEY: key, ...started().temporal }
  const [oldest] = nodes
  const message = { shipmentUid: 'S1', stateCode: 'Completed', stateStart: '', shipmentType: 'Issue' }
  const body = JSON.stringify({ messageType: 'ShipmentStatusUpdate', message: { ...message, referenceCaseNo: 'none' } })
  for (const [folder, file, node, accepted] of [
    [api, 'receive.js', oldest, 204],
    // No flow has the case.
    [everything, 'express.js', process.execPath, 200],
  ] as const) {
    const server = startCommand(`exec ${node} ${file}`, variables, folder)
    onTestFinished(() => server.stop())
    const [, port] = await server.line(/port (\d+)/)
    const now = Math.floor(Date.now() / 1_000)
    const signature = webhookSignature([key], 'msg_1', now, body)
    const headers = {
      [webhookHeaders.id]: 'msg_1',
      [webhookHeaders.timestamp]: String(now),
      [webhookHeaders.signature]: signature,
    }
    const send = async (text: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/callbacks`, { method: 'POST', headers, body: text })
      return response.status
    }
    expect({ file, status: await send(body) }).toEqual({ file, status: accepted })
    expect({ file, status: await send(`${body} `) }).toEqual({ file, status: 401 })
  }
})

test('a Node that is too old for the service ends with a sentence', async () => {
  const [oldest] = nodes
  const { stderr } = await run(everything, [oldest, '-e', "import('lockerflow/service')"])
  expect(stderr).toContain(`lockerflow needs Node 24 or later, and this is Node ${olderNodes.node20}.`)
})

const wrongFilter = `import { createFlowClient } from '@lockerflow/client'
import { Client, Connection } from '@temporalio/client'

const flows = createFlowClient(new Client({ connection: Connection.lazy() }))
console.log((await flows.list({ where: 'colour = 1' })).message)
`
const wrongAddress = `import { createApi } from '@lockerflow/api'

const api = createApi({ baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', clientId: 'a', clientSecret: 'b' })
await api.call('GetPickUpPoints', {}).catch(error => console.log(error.message))
`

test('messages have the address of a page that the installed package has', async () => {
  await writeFile(join(client.npm, 'filter.js'), wrongFilter)
  await writeFile(join(api, 'address.js'), wrongAddress)
  const service = [join(everything, 'node_modules', '.bin', 'lockerflow'), 'service'] as const
  for (const [folder, command, code] of [
    [client.npm, ['filter.js'], 'InvalidFilter'],
    [api, ['address.js'], 'SignInFailed'],
    [everything, service, 'InvalidSettings'],
  ] as const) {
    const { stdout, stderr } = await run(folder, [process.execPath, ...command], { LOCKERFLOW_SERVICE_PORT: 'none' })
    const [, page = '', anchor] = /See (\S+)#(\w+)\.\n/.exec(stdout + stderr) ?? []
    expect({ anchor, stdout, stderr }).toMatchObject({ anchor: code.toLowerCase() })
    expect(await readFile(join(folder, page), 'utf8')).toMatch(new RegExp(`^### ${code}$`, 'm'))
  }
})

test('the packages of callers are few', async () => {
  const lock = JSON.parse(await readFile(join(api, 'package-lock.json'), 'utf8'))
  const paths = Object.keys(lock.packages).filter(path => path !== '')
  expect(paths.toSorted()).toEqual(['@lockerflow/api', 'iso-3166', 'undici', 'zod'].map(name => `node_modules/${name}`))
})

test('the client adds no package, and its program has one copy of Temporal', async () => {
  const lock = JSON.parse(await readFile(join(client.npm, 'package-lock.json'), 'utf8'))
  const paths = Object.keys(lock.packages)
  expect(paths.filter(path => path.endsWith('/@temporalio/client'))).toEqual(['node_modules/@temporalio/client'])
  expect(lock.packages['node_modules/@lockerflow/client'].dependencies).toBeUndefined()
})

test('the client is imported within 100 ms beside Temporal', async () => {
  const program = `await import('@temporalio/client')
const before = process.cpuUsage()
await import('@lockerflow/client')
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 1000)`
  await writeFile(join(client.npm, 'load.js'), program)
  const times: number[] = []
  for (let i = 0; i < 3; i++) times.push(Number((await run(client.npm, [process.execPath, 'load.js'])).stdout))
  expect(Math.min(...times)).toBeLessThan(100)
})

test('the compiler checks a shop within 5 s and finds no fault in the client', {
  timeout: installTimeout,
}, async () => {
  await writeShop(join(client.npm, 'shop'))
  const tsc = join(client.npm, 'node_modules', 'typescript', 'bin', 'tsc')
  const command = `time -p '${process.execPath}' '${tsc}' -p shop --pretty false`
  const { stdout, stderr } = await run(client.npm, ['bash', '-c', command])
  const faults = stdout.split('\n').filter(line => line.includes(': error '))
  // Temporal's own declarations import one package that has none.
  expect(faults.filter(line => !line.includes('@temporalio/common/lib/time.d.ts'))).toEqual([])
  const [, user, system] = /user ([\d.]+)\nsys ([\d.]+)/.exec(stderr) ?? []
  // Time of all processors: a loaded machine could miss 5 s of the clock, which npm run packages -- --sizes measures.
  expect(Number(user) + Number(system)).toBeLessThan(10)
})
