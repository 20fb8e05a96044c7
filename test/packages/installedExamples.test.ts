import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { tokenResponse } from '#contract'
import { type FlowStatus, toWorkflowId } from '#flows'
import { starts } from '../../packages/build/index.ts'
import { freePort } from '../../platform/ports.ts'
import { startCommand } from '../docs/commands.ts'
import { eventually } from '../support/eventually.ts'
import { languages } from '../support/examples/languages.ts'
import { nexusCallers } from '../support/examples/nexusCallers.ts'
import { repairWorkers } from '../support/examples/repairWorkers.ts'
import { generatedClients } from '../support/flowApi/clients.ts'
import { type InstalledExamples, installsOnPage, noFlow, runners, startExamples } from '../support/packages/examples.ts'
import { installTimeout, pnpmAdd, projectFolder, removeFolders, run } from '../support/packages/installed.ts'
import { packed } from '../support/packages/packed.ts'
import { testNexusCaller, testStarter, testTypescriptExamples } from '../support/packages/typescriptExamples.ts'
import { measureSlowness } from '../support/slowness.ts'

let examples: InstalledExamples | undefined

// pnpm lets a package import what it declares and nothing else.
beforeAll(async () => {
  const files = new Map((await packed()).map(({ name, file }) => [name, file]))
  const folder = await projectFolder()
  const names = Array.from(installsOnPage().matchAll(/^npm install (.+)$/gm), ([, names = '']) =>
    names.split(' '),
  ).flat()
  await pnpmAdd(folder, [...names.map(name => files.get(name) ?? name), ...runners], {
    instead: { lockerflow: files.get('lockerflow') ?? '' },
  })
  examples = await startExamples(folder)
}, 2 * installTimeout)

afterAll(async () => {
  await examples?.stop()
  await removeFolders()
})

function installed(): InstalledExamples {
  if (examples === undefined) throw new Error('nothing runs')
  return examples
}

testTypescriptExamples(installed)

const others = languages.filter(({ name }) => name !== 'typescript')

describe.each(others)('the starter in $name', ({ name, lacks, prepare }) => {
  test.skipIf(lacks !== undefined)(
    'books a locker, decides and prints the result',
    { timeout: installTimeout },
    async () => testStarter(installed(), name, await prepare()),
  )
})

const otherRepairWorkers = repairWorkers.filter(({ name }) => name !== 'typescript')

describe.each(otherRepairWorkers)('a workflow around flows in $name', ({ name, lacks, prepare }) => {
  test.skipIf(lacks !== undefined)(
    'runs on the worker of dev, and is cancelled with its flow',
    { timeout: installTimeout },
    async () => {
      const { folder, dev, client } = installed()
      const repairNo = `R-${name}`
      const taskQueue = `repairs-${name}`
      const { file, words, variables } = await prepare()
      const command = `exec '${[file, ...words].join("' '")}'`
      const worker = startCommand(command, { ...dev.temporal, ...variables, REPAIR_TASK_QUEUE: taskQueue }, folder)
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

const otherNexusCallers = nexusCallers.filter(({ name }) => name !== 'typescript')

describe.each(otherNexusCallers)('a caller by Nexus in $name', ({ name, lacks, prepare }) => {
  test.skipIf(lacks !== undefined)('books a locker', { timeout: installTimeout }, async () => {
    const { file, words, variables } = await prepare()
    await testNexusCaller(installed(), name, `exec '${[file, ...words].join("' '")}'`, variables)
  })
})

test('a service is ready within 500 ms, and a stack within 5 s, by the clock and of the processor', {
  timeout: installTimeout,
}, async () => {
  const { folder, node } = installed()
  await writeFile(join(folder, 'starts.js'), starts)
  const slowness = measureSlowness()
  const { stdout } = await node(['starts.js'])
  const slowed = slowness()
  const { service, lockers } = JSON.parse(stdout)
  expect(Math.max(service.clock / slowed, service.processor)).toBeLessThan(500)
  expect(Math.max(lockers.clock / slowed, lockers.processor)).toBeLessThan(5_000)
})

// The last one: its gateway takes the callbacks of the service from that of dev.
describe.each(generatedClients)('a client of the flows over HTTP, generated in $name', ({ lacks, prepare }) => {
  test.skipIf(lacks !== undefined)('books by an installed gateway', { timeout: installTimeout }, async () => {
    const { file, words, variables } = await prepare()
    const [gatewayPort, flowApiPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')]
    const { folder, dev } = installed()
    const { baseUrl, temporal } = dev
    const credentials = { LOCKERFLOW_CLIENT_ID: 'acme', LOCKERFLOW_CLIENT_SECRET: 'acme-secret' }
    const gateway = startCommand(
      `exec ${process.execPath} ${join('node_modules', 'lockerflow', 'dist', 'lockerflow.js')} gateway`,
      {
        ...{ ...temporal, ...credentials },
        LOCKERFLOW_BASE_URL: baseUrl,
        LOCKERFLOW_AUTH_URL: baseUrl,
        LOCKERFLOW_CALLBACK_KEY: 'a-key-of-32-characters-for-a-test',
        LOCKERFLOW_GATEWAY_PORT: String(gatewayPort),
        LOCKERFLOW_FLOW_API_PORT: String(flowApiPort),
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
    const start = { flow: 'stock', wait: 'booked', input: { caseNo: `H-${flowApiPort}`, request } }
    await writeFile(join(folder, 'starts.json'), JSON.stringify([start]))
    const command = `'${[file, ...words].join("' '")}' http://127.0.0.1:${flowApiPort} < starts.json`
    const ended = await run(folder, ['bash', '-c', command], { ...variables, FLOW_API_TOKEN: access_token })
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
  const { userUid } = await installed().client.workflow.execute('onboardAccount', { ...options, args: [input] })
  return userUid
}
