import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { packages } from '../../packages/build/index.ts'
import { blocksIn } from '../docs/blocks.ts'
import { startCommand } from '../docs/commands.ts'
import { lacksPython, startWorkbench } from '../support/examples/workbench.ts'
import { type InstalledExamples, installsOnPage, readPage, startExamples } from '../support/packages/examples.ts'
import { installTimeout, pnpmAdd, projectFolder, removeFolders, run } from '../support/packages/installed.ts'
import { packed } from '../support/packages/packed.ts'
import { starts } from '../support/packages/programs.ts'
import { measureSlowness } from '../support/slowness.ts'

const timeout = installTimeout
let examples: InstalledExamples | undefined

// pnpm lets a package import what it declares and nothing else.
beforeAll(async () => {
  const files = new Map((await packed()).map(({ name, file }) => [name, file]))
  const folder = await projectFolder()
  const names = Array.from(installsOnPage().matchAll(/^npm install (.+)$/gm), ([, names = '']) =>
    names.split(' '),
  ).flat()
  await pnpmAdd(
    folder,
    names.map(name => files.get(name) ?? name),
    { instead: { lockerflow: files.get('lockerflow') ?? '' } },
  )
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

test('each entry of each package can be imported, and required by CommonJS', { timeout }, async () => {
  const { folder, node } = installed()
  const entries = Object.entries(packages).flatMap(([name, { entries }]) =>
    Object.keys(entries).map(entry => (entry === 'index' ? name : `${name}/${entry}`)),
  )
  const names = JSON.stringify(entries.filter(entry => !entry.startsWith('@lockerflow/api')))
  // Required first: a module that waits while it is loaded cannot be required, and can be imported.
  const required = `for (const name of ${names}) if (Object.keys(require(name)).length === 0) throw new Error(name)\n`
  await writeFile(join(folder, 'entries.cjs'), required)
  const imported = `import './entries.cjs'\nfor (const name of ${names}) await import(name)\n`
  await writeFile(join(folder, 'entries.js'), imported)
  expect(await node(['entries.js'])).toMatchObject({ code: 0, stderr: '' })
})

test('the starter books a locker, decides and prints the result, and encrypts what it sends', { timeout }, async () => {
  const { folder, dev, client, ring } = installed()
  const sample = JSON.parse(await readFile(join(folder, 'stock.json'), 'utf8'))
  await writeFile(
    join(folder, 'start.json'),
    JSON.stringify({ ...sample, caseNo: 'E-1', windows: { dropOff: '300ms' } }),
  )
  const command = `'${process.execPath}' typescript/flow.ts stock cancel < start.json`
  const ended = await run(folder, ['bash', '-c', command], { ...dev.temporal, LOCKERFLOW_CODEC_KEYS: ring })
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/"outcome": ?"cancelled"/) })
  const { events } = await client.workflow.getHandle(toWorkflowId('E-1')).fetchHistory()
  const [input] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []
  expect(Buffer.from(input?.metadata?.encoding ?? []).toString()).toBe('binary/encrypted')
})

test('the page of the workflow around flows runs, and cancels it', { timeout }, async () => {
  const { folder, dev, commandsOn, runPage } = installed()
  const example = 'repair-workflow'
  const worker = startCommand(commandsOn(example, 'worker'), { ...dev.temporal }, join(folder, example))
  onTestFinished(() => worker.stop())
  await worker.line(/worker ready/, timeout)
  const waits = /^R-1001 waits for the device in locker \w+\n$/
  expect(await runPage(example, 'start')).toMatchObject({ code: 0, stdout: expect.stringMatching(waits) })
  expect(await runPage(example, 'cancel')).toMatchObject({ code: 0, stdout: 'cancelled, 0 left over\n' })
  // Its intake has ended, so a repair with the same number fails.
  const repeated = 'repair:R-1001 is FAILED. Use a number that is new.'
  expect(await runPage(example, 'start')).toMatchObject({ code: 1, stderr: expect.stringContaining(repeated) })
})

test('the cases of the repair shop pass', { timeout }, async () => {
  const file = 'repair-shop/flows/repairShop.yaml'
  const tested = await installed().lockerflow('flows', 'test', 'repair-shop/cases.yaml', '--flows', file)
  expect(tested).toMatchObject({ code: 0, stdout: expect.stringMatching(/\d passed/) })
})

test.skipIf(lacksPython !== undefined)(
  'the page of the repair shop runs, with the worker in Python',
  { timeout },
  async () => {
    const { dev, runPage, untilStage } = installed()
    const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = dev.temporal
    const workbench = await startWorkbench(0, { address, namespace })
    onTestFinished(() => workbench.stop())
    for (const name of ['start', 'bringIn']) expect(await runPage('repair-shop', name)).toMatchObject({ code: 0 })
    await untilStage('R-1001', 'quote')
    expect(await runPage('repair-shop', 'answer')).toMatchObject({ code: 0 })
    const ended = expect.stringContaining('R-1001 ended as completed')
    expect(await runPage('repair-shop', 'back')).toMatchObject({ code: 0, stdout: ended })
  },
)

test('the page of Nexus runs', { timeout }, async () => {
  const { folder, dev, commandsOn, runPage } = installed()
  expect(await runPage('nexus', 'namespace')).toMatchObject({ code: 0, stdout: 'namespace ready: shop\n' })
  const worker = startCommand(commandsOn('nexus', 'worker'), { ...dev.temporal }, join(folder, 'nexus'))
  onTestFinished(() => worker.stop())
  await worker.line(/worker ready/, timeout)
  const booked = /^S-1001 is booked in locker \w+\n$/
  expect(await runPage('nexus', 'start')).toMatchObject({ code: 0, stdout: expect.stringMatching(booked) })
})

test.each([
  ['overdue', 'a reminder goes out when a parcel stays in its locker'],
  ['cases', 'the customer agrees, and gets the repaired device'],
])('the test of %s passes', { timeout }, async (name, printed) => {
  // An address without a server: each stack has a server of its own.
  const variables = { TEMPORAL_ADDRESS: '127.0.0.1:1', NO_COLOR: '1' }
  const { code, stdout, stderr } = await installed().node(['--test', `testing/${name}.test.ts`], variables)
  expect({ code, printed: stdout + stderr }).toEqual({ code: 0, printed: expect.stringContaining(printed) })
})

test('the program of the page of testing runs', { timeout }, async () => {
  const { folder, node } = installed()
  const [program] = blocksIn(readPage('packages/testing/README.md')).filter(({ language }) => language === 'ts')
  await writeFile(join(folder, 'overdue.ts'), program?.text ?? '')
  expect(await node(['overdue.ts'])).toMatchObject({ code: 0, stdout: 'completed\n' })
})

test('a service is ready within 500 ms, and a stack within 5 s, by the clock and of the processor', {
  timeout,
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
