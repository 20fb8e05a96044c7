import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { tokenResponse } from '#contract'
import { type FlowStatus, toWorkflowId } from '#flows'
import { freePort } from '../../cli/ports.ts'
import { packages, starts } from '../../release/index.ts'
import { blocksIn } from '../docs/blocks.ts'
import { startCommand } from '../docs/commands.ts'
import { root } from '../project/sources.ts'
import { generatedClients } from '../support/door/clients.ts'
import { eventually } from '../support/eventually.ts'
import { languages } from '../support/examples/languages.ts'
import { nexusCallers } from '../support/examples/nexusCallers.ts'
import { repairWorkers } from '../support/examples/repairWorkers.ts'
import { lacksPython, startWorkbench } from '../support/examples/workbench.ts'
import {
  emptyFolder,
  installTimeout,
  pnpmAdd,
  type RunningDev,
  removeFolders,
  run,
  startDev,
} from '../support/packages/installed.ts'
import { packed } from '../support/packages/packed.ts'

/** Versions of the packages that examples and tests of users name beside those of lockerflow. */
const versions = { '@jest/globals': '30.5.2', jest: '30.5.2', vitest: '5.1.0' } as const
const temporalVersion = '1.24.0'

/** Two own flows, as the pages of the examples say. */
const ownFlows = {
  LOCKERFLOW_FLOWS: './{repair-shop/flows,parcel-return}/*{Shop,Return}.yaml',
  LOCKERFLOW_ACTIVITIES: './repair-shop/activities.ts',
  LOCKERFLOW_CALENDARS: './parcel-return/calendars.yaml',
}
/** The worker decrypts what a starter encrypts, and writes the rest as it is. */
const ring = `test:${randomBytes(32).toString('base64')}`

let folder: string
let dev: RunningDev | undefined
let client: Client

// pnpm lets a package import what it declares and nothing else.
beforeAll(async () => {
  const files = new Map((await packed()).map(({ name, file }) => [name, file]))
  folder = await emptyFolder()
  await pnpmAdd(folder, [...namesOnPage().map(name => files.get(name) ?? `${name}@${temporalVersion}`), ...runners()], {
    instead: { lockerflow: files.get('lockerflow') ?? '' },
  })
  await cp(join(root, 'examples'), folder, { recursive: true, filter: path => !/node_modules|\/target/.test(path) })
  dev = await startDev(folder, { ...ownFlows, LOCKERFLOW_CODEC_KEYS: ring, LOCKERFLOW_CODEC: 'off' })
  client = new Client({ connection: await Connection.connect({ address: dev.temporal.TEMPORAL_ADDRESS }) })
}, 2 * installTimeout)

afterAll(async () => {
  await client?.connection.close()
  await dev?.command.stop()
  await removeFolders()
})

/** The packages of the page of examples. */
function namesOnPage(): string[] {
  const blocks = blocksIn(readPage('examples/README.md'))
  const commands = blocks.find(({ language, info }) => language === 'sh' && info === 'install')?.text ?? ''
  return Array.from(commands.matchAll(/^npm install (.+)$/gm), ([, names = '']) => names.split(' ')).flat()
}

function runners(): string[] {
  return Object.entries(versions).map(([name, version]) => `${name}@${version}`)
}

/** Runs a program of the folder on the Node of the tests. */
function node(args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  return run(folder, [process.execPath, ...args], { ...dev?.temporal, ...variables })
}

const command = join('node_modules', 'lockerflow', 'dist', 'lockerflow.js')

function lockerflow(...args: string[]) {
  return node([command, ...args], ownFlows)
}

/** Runs the block in `sh` with this name on the page of an example, in the folder of the example. */
function runPage(example: string, name: string, variables: Readonly<Record<string, string>> = {}) {
  const commands = commandsOn(example, name)
  const credentials = { LOCKERFLOW_CLIENT_ID: 'acme', LOCKERFLOW_CLIENT_SECRET: 'acme-secret' }
  const { baseUrl = '', temporal } = dev ?? {}
  return run(join(folder, example), ['bash', '-euc', commands], {
    ...{ ...temporal, ...credentials, ...variables },
    ...{ LOCKERFLOW_BASE_URL: baseUrl, LOCKERFLOW_AUTH_URL: baseUrl },
  })
}

/** With the Node of the tests, and without npx, which would ask the registry. */
function commandsOn(example: string, name: string): string {
  const blocks = blocksIn(readPage(`examples/${example}/README.md`))
  const block = blocks.find(({ language, info }) => language === 'sh' && info === name)
  if (block === undefined) throw new Error(`the page of ${example} has no block ${name}`)
  const node = `'${process.execPath}' `
  return block.text
    .replaceAll('npx lockerflow', `${node}'${join(folder, command)}'`)
    .replaceAll(/\bnode (?=typescript)/g, node)
}

async function untilStage(caseNo: string, wanted: string): Promise<void> {
  const flow = client.workflow.getHandle(toWorkflowId(caseNo))
  await eventually(() => flow.query<FlowStatus>('status').then(({ stage }) => stage === wanted || undefined, noFlow))
}

test('each entry of each package can be imported, and required by CommonJS', { timeout: installTimeout }, async () => {
  const entries = Object.entries(packages).flatMap(([name, { entries }]) =>
    Object.keys(entries).map(entry => (entry === 'index' ? name : `${name}/${entry}`)),
  )
  const installed = entries.filter(entry => !entry.startsWith('@lockerflow/api'))
  const names = JSON.stringify(installed)
  // Required first: a module that waits while it is loaded cannot be required, and can be imported.
  const required = `for (const name of ${names}) if (Object.keys(require(name)).length === 0) throw new Error(name)\n`
  await writeFile(join(folder, 'entries.cjs'), required)
  await writeFile(
    join(folder, 'entries.js'),
    `import './entries.cjs'\nfor (const name of ${names}) await import(name)\n`,
  )
  expect(await node(['entries.js'])).toMatchObject({ code: 0, stderr: '' })
})

describe.each(languages)('the starter in $name', ({ name, lacks, prepare }) => {
  test.skipIf(lacks !== undefined)(
    'books a locker, decides and prints the result',
    { timeout: installTimeout },
    async () => {
      const caseNo = `E-${name}`
      const sample = JSON.parse(await readFile(join(folder, 'stock.json'), 'utf8'))
      await writeFile(
        join(folder, `${name}.json`),
        JSON.stringify({ ...sample, caseNo, windows: { dropOff: '300ms' } }),
      )
      // The one in TypeScript is the installed one.
      const installed = { file: process.execPath, words: [join('typescript', 'flow.ts')], variables: {} }
      const { file, words, variables } = name === 'typescript' ? installed : await prepare()
      const command = `'${[file, ...words].join("' '")}' stock cancel < ${name}.json`
      const ended = await run(folder, ['bash', '-c', command], {
        ...{ ...dev?.temporal, ...variables },
        LOCKERFLOW_CODEC_KEYS: ring,
      })
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/"outcome": ?"cancelled"/) })
      const { events } = await client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
      const [input] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []
      expect(Buffer.from(input?.metadata?.encoding ?? []).toString()).toBe('binary/encrypted')
    },
  )
})

test('the page of the workflow around flows runs, and cancels it', { timeout: installTimeout }, async () => {
  const example = 'repair-workflow'
  const worker = startCommand(commandsOn(example, 'worker'), { ...dev?.temporal }, join(folder, example))
  onTestFinished(() => worker.stop())
  await worker.line(/worker ready/, installTimeout)
  const waits = /^R-1001 waits for the device in locker \w+\n$/
  expect(await runPage(example, 'start')).toMatchObject({ code: 0, stdout: expect.stringMatching(waits) })
  expect(await runPage(example, 'cancel')).toMatchObject({ code: 0, stdout: 'cancelled, 0 left over\n' })
})

const otherRepairWorkers = repairWorkers.filter(({ name }) => name !== 'typescript')

describe.each(otherRepairWorkers)('a workflow around flows in $name', ({ name, lacks, prepare }) => {
  test.skipIf(lacks !== undefined)(
    'runs on the worker of dev, and is cancelled with its flow',
    { timeout: installTimeout },
    async () => {
      const repairNo = `R-${name}`
      const taskQueue = `repairs-${name}`
      const { file, words, variables } = await prepare()
      const command = `exec '${[file, ...words].join("' '")}'`
      const worker = startCommand(command, { ...dev?.temporal, ...variables, REPAIR_TASK_QUEUE: taskQueue }, folder)
      onTestFinished(() => worker.stop())
      await worker.line(/worker ready/, installTimeout)
      const customerUid = await onboard(repairNo)
      const order = { repairNo, pupUid: 'pup-1', customerUid, seconds: 0, flowsQueue: 'lockerflow' }
      const options = { taskQueue, workflowId: `repair:${repairNo}`, args: [order] }
      const repair = await client.workflow.start('repairProcess', options)
      const flow = client.workflow.getHandle(toWorkflowId(`${repairNo}-in`))
      await eventually(() =>
        flow.query<FlowStatus>('status').then(({ stage }) => stage === 'dropOff' || undefined, noFlow),
      )
      await repair.cancel()
      // The SDK for Java drops the result of a workflow whose cancellation was requested.
      await repair.result().catch(() => undefined)
      expect((await flow.describe()).status.name).toBe('COMPLETED')
      expect(await flow.result()).toMatchObject({ outcome: 'cancelled', leftOver: [] })
    },
  )
})

const noFlow = () => undefined

describe('the page of Nexus runs', () => {
  beforeAll(async () => {
    expect(await runPage('nexus', 'namespace')).toMatchObject({ code: 0, stdout: 'namespace ready: shop\n' })
  }, installTimeout)

  for (const { name, lacks, prepare } of nexusCallers) {
    test.skipIf(lacks !== undefined)(`with the worker in ${name}`, { timeout: installTimeout }, async () => {
      const taskQueue = { SHOP_TASK_QUEUE: `shop-${name}` }
      const { file, words, variables } =
        name === 'typescript' ? { file: '', words: [], variables: {} } : await prepare()
      const command = name === 'typescript' ? commandsOn('nexus', 'worker') : `exec '${[file, ...words].join("' '")}'`
      const worker = startCommand(
        command,
        { ...dev?.temporal, ...variables, ...taskQueue, TEMPORAL_NAMESPACE: 'shop' },
        join(folder, 'nexus'),
      )
      onTestFinished(() => worker.stop())
      await worker.line(/worker ready/, installTimeout)
      const start = commandsOn('nexus', 'start').replace('S-1001', `N-${name}`)
      const started = await run(join(folder, 'nexus'), ['bash', '-euc', start], { ...dev?.temporal, ...taskQueue })
      const booked = new RegExp(`^N-${name} is booked in locker \\w+\n$`)
      expect(started).toMatchObject({ code: 0, stdout: expect.stringMatching(booked) })
    })
  }
})

test.each([
  ['repair-shop', 'repair-shop/flows/repairShop.yaml'],
  ['parcel-return', 'parcel-return/parcelReturn.yaml'],
])('the cases of %s pass', { timeout: installTimeout }, async (name, file) => {
  const tested = await lockerflow('flows', 'test', `${name}/cases.yaml`, '--flows', file)
  expect(tested).toMatchObject({ code: 0, stdout: expect.stringMatching(/\d passed/) })
})

test('the page of the parcel return runs', { timeout: installTimeout }, async () => {
  for (const name of ['start', 'bringBack']) expect(await runPage('parcel-return', name)).toMatchObject({ code: 0 })
  await untilStage('P-1001', 'check')
  const ended = expect.stringContaining('P-1001 ended as completed')
  expect(await runPage('parcel-return', 'answer')).toMatchObject({ code: 0, stdout: ended })
})

test.skipIf(lacksPython !== undefined)(
  'the page of the repair shop runs, with the worker in Python',
  { timeout: installTimeout },
  async () => {
    const { TEMPORAL_ADDRESS: address = '', TEMPORAL_NAMESPACE: namespace = '' } = dev?.temporal ?? {}
    const workbench = await startWorkbench(0, { address, namespace })
    onTestFinished(() => workbench.stop())
    for (const name of ['start', 'bringIn']) expect(await runPage('repair-shop', name)).toMatchObject({ code: 0 })
    await untilStage('R-1001', 'quote')
    expect(await runPage('repair-shop', 'answer')).toMatchObject({ code: 0 })
    const ended = expect.stringContaining('R-1001 ended as completed')
    expect(await runPage('repair-shop', 'back')).toMatchObject({ code: 0, stdout: ended })
  },
)

const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--verbose', '--testMatch']
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose']
const overdue = 'a reminder goes out when a parcel stays in its locker'
/** One of the tests that a file of cases becomes. It needs the calendar. */
const byCalendar = 'the shop has 40 hours to check the parcel, by its calendar'

test.each([
  ['node:test', ['--test', 'testing/node/overdue.test.ts'], overdue],
  ['vitest', [...vitest, 'testing/vitest/overdue'], overdue],
  ['jest', [...jest, '**/testing/jest/overdue.test.js'], overdue],
  ['node:test and cases of files', ['--test', 'testing/node/cases.test.ts'], byCalendar],
  ['vitest and cases of files', [...vitest, 'testing/vitest/cases'], byCalendar],
  ['jest and cases of files', [...jest, '**/testing/jest/cases.test.js'], byCalendar],
])('the test with %s passes', { timeout: installTimeout }, async (_runner, args, printed) => {
  // An address without a server: each stack has a server of its own.
  const { code, stdout, stderr } = await node(args, { TEMPORAL_ADDRESS: '127.0.0.1:1', NO_COLOR: '1' })
  expect({ code, printed: stdout + stderr }).toEqual({ code: 0, printed: expect.stringContaining(printed) })
})

test('the program of the page of testing runs', { timeout: installTimeout }, async () => {
  const [program] = blocksIn(readPage('packages/testing/README.md')).filter(({ language }) => language === 'ts')
  expect(readPage('docs/how-to/test-your-flows.md')).toContain(program?.text)
  await writeFile(join(folder, 'overdue.ts'), program?.text ?? '')
  expect(await node(['overdue.ts'])).toMatchObject({ code: 0, stdout: 'completed\n' })
})

test('a service is ready within 500 ms, and a stack within 5 s, by the clock and of the processor', {
  timeout: installTimeout,
}, async () => {
  await writeFile(join(folder, 'starts.js'), starts)
  const { stdout } = await node(['starts.js'])
  const { service, lockers } = JSON.parse(stdout)
  expect(Math.max(service.clock, service.processor)).toBeLessThan(500)
  expect(Math.max(lockers.clock, lockers.processor)).toBeLessThan(5_000)
})

// The last one: its gateway takes the callbacks of the service from that of dev.
describe.each(generatedClients)('a client of the flows over HTTP, generated in $name', ({ lacks, prepare }) => {
  test.skipIf(lacks !== undefined)('books by an installed gateway', { timeout: installTimeout }, async () => {
    const { file, words, variables } = await prepare()
    const [gatewayPort, doorPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')]
    const { baseUrl = '', temporal } = dev ?? {}
    const credentials = { LOCKERFLOW_CLIENT_ID: 'acme', LOCKERFLOW_CLIENT_SECRET: 'acme-secret' }
    const gateway = startCommand(
      `exec ${process.execPath} ${join('node_modules', 'lockerflow', 'dist', 'lockerflow.js')} gateway`,
      {
        ...{ ...temporal, ...credentials },
        LOCKERFLOW_BASE_URL: baseUrl,
        LOCKERFLOW_AUTH_URL: baseUrl,
        LOCKERFLOW_CALLBACK_KEY: 'a-key-of-32-characters-for-a-test',
        LOCKERFLOW_GATEWAY_PORT: String(gatewayPort),
        LOCKERFLOW_DOOR_PORT: String(doorPort),
      },
      folder,
    )
    onTestFinished(() => gateway.stop())
    await gateway.line(/gateway ready/, installTimeout)
    const form = { grant_type: 'client_credentials', client_id: 'acme', client_secret: 'acme-secret' }
    const body = new URLSearchParams({ ...form, scope: 'integration_api' })
    const response = await fetch(`${baseUrl}/connect/token`, { method: 'POST', body })
    const { access_token } = tokenResponse.parse(await response.json())
    const { request } = JSON.parse(await readFile(join(folder, 'stock.json'), 'utf8'))
    const start = { flow: 'stock', wait: 'booked', input: { caseNo: `H-${doorPort}`, request } }
    await writeFile(join(folder, 'starts.json'), JSON.stringify([start]))
    const command = `'${[file, ...words].join("' '")}' http://127.0.0.1:${doorPort} < starts.json`
    const ended = await run(folder, ['bash', '-c', command], { ...variables, DOOR_TOKEN: access_token })
    const printed = ['booked 1', 'status of stock', 'NothingToDecide', 'cancelled', '1 end'].map(
      line => `stock: ${line}\n`,
    )
    expect(ended).toEqual({ code: 0, stderr: '', stdout: `${printed.join('')}listed\nready\n` })
  })
})

/** Creates an account by a flow. Returns its uid. */
async function onboard(caseNo: string): Promise<string> {
  const name = { emailAddress: `${caseNo}@example.com`, firstName: 'Kim', lastName: 'Park' }
  const options = { taskQueue: 'lockerflow', workflowId: toWorkflowId(`A-${caseNo}`) }
  const input = { caseNo: `A-${caseNo}`, request: { ...name, pickUpPointUid: 'pup-1' } }
  const { userUid } = await client.workflow.execute('onboardAccount', { ...options, args: [input] })
  return userUid
}

function readPage(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
