import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { packages } from '../../../packages/build/index.ts'
import { blocksIn } from '../../docs/blocks.ts'
import { startCommand } from '../../docs/commands.ts'
import { lacksPython, startWorkbench } from '../examples/workbench.ts'
import { type InstalledExamples, readPage } from './examples.ts'
import { installTimeout, run } from './installed.ts'

const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--verbose', '--testMatch']
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose']
const overdue = 'a reminder goes out when a parcel stays in its locker'
/** One of the tests that a file of cases becomes. It needs the calendar. */
const byCalendar = 'the shop has 40 hours to check the parcel, by its calendar'

/** Tests of all examples in TypeScript and YAML, in a folder with installed packages. */
export function testTypescriptExamples(installed: () => InstalledExamples): void {
  test('each entry of each package can be imported, and required by CommonJS', {
    timeout: installTimeout,
  }, async () => {
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

  test('the starter in typescript books a locker, decides and prints the result', {
    timeout: installTimeout,
  }, async () => {
    await testStarter(installed(), 'typescript', {
      file: process.execPath,
      words: [join('typescript', 'flow.ts')],
      variables: {},
    })
  })

  test('the page of the workflow around flows runs, and cancels it', { timeout: installTimeout }, async () => {
    const { folder, dev, commandsOn, runPage } = installed()
    const example = 'repair-workflow'
    const worker = startCommand(commandsOn(example, 'worker'), { ...dev.temporal }, join(folder, example))
    onTestFinished(() => worker.stop())
    await worker.line(/worker ready/, installTimeout)
    const waits = /^R-1001 waits for the device in locker \w+\n$/
    expect(await runPage(example, 'start')).toMatchObject({ code: 0, stdout: expect.stringMatching(waits) })
    expect(await runPage(example, 'cancel')).toMatchObject({ code: 0, stdout: 'cancelled, 0 left over\n' })
    // Its intake has ended, so a repair with the same number fails.
    const repeated = 'repair:R-1001 is FAILED. Use a number that is new.'
    expect(await runPage(example, 'start')).toMatchObject({ code: 1, stderr: expect.stringContaining(repeated) })
  })

  test.each([
    ['repair-shop', 'repair-shop/flows/repairShop.yaml'],
    ['parcel-return', 'parcel-return/parcelReturn.yaml'],
  ])('the cases of %s pass', { timeout: installTimeout }, async (name, file) => {
    const tested = await installed().lockerflow('flows', 'test', `${name}/cases.yaml`, '--flows', file)
    expect(tested).toMatchObject({ code: 0, stdout: expect.stringMatching(/\d passed/) })
  })

  test('the page of the parcel return runs', { timeout: installTimeout }, async () => {
    const { runPage, untilStage } = installed()
    for (const name of ['start', 'bringBack']) expect(await runPage('parcel-return', name)).toMatchObject({ code: 0 })
    await untilStage('P-1001', 'check')
    const ended = expect.stringContaining('P-1001 ended as completed')
    expect(await runPage('parcel-return', 'answer')).toMatchObject({ code: 0, stdout: ended })
  })

  test.skipIf(lacksPython !== undefined)(
    'the page of the repair shop runs, with the worker in Python',
    { timeout: installTimeout },
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

  test('the page of Nexus runs', { timeout: installTimeout }, async () => {
    const examples = installed()
    expect(await examples.runPage('nexus', 'namespace')).toMatchObject({ code: 0, stdout: 'namespace ready: shop\n' })
    await testNexusCaller(examples, 'typescript', examples.commandsOn('nexus', 'worker'))
  })

  test.each([
    ['node:test', ['--test', 'testing/node/overdue.test.ts'], overdue],
    ['vitest', [...vitest, 'testing/vitest/overdue'], overdue],
    ['jest', [...jest, '**/testing/jest/overdue.test.js'], overdue],
    ['node:test and cases of files', ['--test', 'testing/node/cases.test.ts'], byCalendar],
    ['vitest and cases of files', [...vitest, 'testing/vitest/cases'], byCalendar],
    ['jest and cases of files', [...jest, '**/testing/jest/cases.test.js'], byCalendar],
  ])('the test with %s passes', { timeout: installTimeout }, async (_runner, args, printed) => {
    // An address without a server: each stack has a server of its own.
    const { code, stdout, stderr } = await installed().node(args, { TEMPORAL_ADDRESS: '127.0.0.1:1', NO_COLOR: '1' })
    expect({ code, printed: stdout + stderr }).toEqual({ code: 0, printed: expect.stringContaining(printed) })
  })

  test('the program of the page of testing runs', { timeout: installTimeout }, async () => {
    const { folder, node } = installed()
    const [program] = blocksIn(readPage('packages/testing/README.md')).filter(({ language }) => language === 'ts')
    expect(readPage('docs/how-to/test-your-flows.md')).toContain(program?.text)
    await writeFile(join(folder, 'overdue.ts'), program?.text ?? '')
    expect(await node(['overdue.ts'])).toMatchObject({ code: 0, stdout: 'completed\n' })
  })
}

/** Runs a worker whose workflow calls a flow by Nexus. The namespace exists. */
export async function testNexusCaller(
  { folder, dev, commandsOn }: InstalledExamples,
  name: string,
  command: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const taskQueue = { SHOP_TASK_QUEUE: `shop-${name}` }
  const given = { ...dev.temporal, ...variables, ...taskQueue, TEMPORAL_NAMESPACE: 'shop' }
  const worker = startCommand(command, given, join(folder, 'nexus'))
  onTestFinished(() => worker.stop())
  await worker.line(/worker ready/, installTimeout)
  const start = commandsOn('nexus', 'start').replace('S-1001', `N-${name}`)
  const started = await run(join(folder, 'nexus'), ['bash', '-euc', start], { ...dev.temporal, ...taskQueue })
  const booked = new RegExp(`^N-${name} is booked in locker \\w+\n$`)
  expect(started).toMatchObject({ code: 0, stdout: expect.stringMatching(booked) })
}

/** A program of a starter. */
export interface Starter {
  readonly file: string
  readonly words: readonly string[]
  readonly variables: Readonly<Record<string, string>>
}

/** Runs a starter, which encrypts what it sends. */
export async function testStarter(
  { folder, dev, client, ring }: InstalledExamples,
  name: string,
  { file, words, variables }: Starter,
): Promise<void> {
  const caseNo = `E-${name}`
  const sample = JSON.parse(await readFile(join(folder, 'stock.json'), 'utf8'))
  await writeFile(join(folder, `${name}.json`), JSON.stringify({ ...sample, caseNo, windows: { dropOff: '300ms' } }))
  const command = `'${[file, ...words].join("' '")}' stock cancel < ${name}.json`
  const given = { ...dev.temporal, ...variables, LOCKERFLOW_CODEC_KEYS: ring }
  const ended = await run(folder, ['bash', '-c', command], given)
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/"outcome": ?"cancelled"/) })
  const { events } = await client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  const [input] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []
  expect(Buffer.from(input?.metadata?.encoding ?? []).toString()).toBe('binary/encrypted')
}
