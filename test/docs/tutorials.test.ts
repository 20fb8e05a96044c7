import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '../../platform/ports.ts'
import { root } from '../project/sources.ts'
import { linkPackages } from '../support/examples/project.ts'
import { blocksIn, readBlocks } from './blocks.ts'
import { type RunningCommand, runSteps, startCommand, stepsOf } from './commands.ts'

/** Milliseconds for the start of all processes. */
const startTimeout = 300_000

test('the commands of the first tutorial print the shown output', { timeout: startTimeout }, async () => {
  const blocks = readBlocks('tutorials/1-first-booking.md')
  const folder = await temporaryFolder()
  const service = startCommand(commandsNamed(blocks, 'service'), {
    LOCKERFLOW_SERVICE_PORT: '0',
    LOCKERFLOW_DATABASE_URL: `file:${join(folder, 'service.db')}`,
  })
  onTestFinished(() => service.stop())
  const [, address = ''] = await service.line(/service ready: (\S+),/)
  const steps = stepsOf(blocks)
  const receiverPort = `${await freePort('127.0.0.1')}`
  const printed = await runSteps(
    steps.map(step => ({
      ...step,
      commands: step.commands
        .replaceAll('http://127.0.0.1:8080', address)
        .replaceAll('9000', receiverPort)
        // A second is too short for a busy machine.
        .replace('sleep 1\ncat', 'until [ $(wc -l < callbacks.log) -ge 3 ]; do sleep 0.1; done\ncat'),
    })),
    {},
    folder,
  )
  expect(printed.map(plain)).toEqual(steps.map(({ expected = '' }) => plain(expected)))
})

describe('with everything running', () => {
  const { address, namespace } = inject('temporal')
  const temporal = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }
  const blocks = readBlocks('tutorials/2-first-flow.md')
  let copy: string
  let dev: RunningCommand

  beforeAll(async () => {
    // The tutorial adds a flow to the project, so it runs in a copy.
    copy = await copyOfProject()
    const declared = 'flows/booking/quickStock.ts'
    await writeFile(join(copy, declared), commandsNamed(blocks, `declared ${declared}`))
    await runSteps([{ commands: commandsNamed(blocks, 'declare'), expected: undefined }], {}, copy)
    const ports = { LOCKERFLOW_SERVICE_PORT: '0', LOCKERFLOW_GATEWAY_PORT: '0' }
    // As `npm run dev`, without the installation.
    dev = startCommand(`${process.execPath} cli/lockerflow.ts dev`, { ...temporal, ...ports }, copy)
    await dev.line(/Everything is running/)
  }, startTimeout)

  afterAll(async () => {
    await dev?.stop()
    if (copy !== undefined) await rm(copy, { recursive: true })
  })

  test('the second tutorial starts, cancels and declares flows', { timeout: startTimeout }, async () => {
    expect(commandsNamed(blocks, 'dev')).toBe('npm run dev\n')
    for (const name of ['first.ts', 'second.ts']) await writeFile(join(copy, name), commandsNamed(blocks, name))
    const steps = stepsOf(blocks)
    const unique = steps.map(step => ({ ...step, commands: step.commands.replace('-1001', `-${Date.now()}`) }))
    const printed = await runSteps(unique, temporal, copy)
    const anyLocker = (text = '') => text.replace(/locker \d+/, 'locker …')
    expect(printed.map(anyLocker)).toEqual(steps.map(({ expected }) => expected))
  })

  test('the fourth tutorial starts and cancels a workflow around flows', { timeout: startTimeout }, async () => {
    await cp(join(root, 'examples/repair-workflow'), join(copy, 'examples/repair-workflow'), { recursive: true })
    await linkPackages(join(copy, 'examples'))
    const blocks = readBlocks('tutorials/4-your-own-process.md')
    expect(commandsNamed(blocks, 'packages')).toBe('npm run release -- packages\n')
    const own = { ...temporal, REPAIR_TASK_QUEUE: `repairs-${Date.now()}` }
    const command = commandsNamed(blocks, 'worker').replace('npx node', process.execPath)
    const worker = startCommand(command, own, copy)
    onTestFinished(() => worker.stop())
    await worker.line(/worker ready/)
    const repairNo = `R-${Date.now()}`
    const steps = stepsOf(blocks).map(({ commands, expected }) => ({
      commands: commands.replace('npx node', process.execPath).replace('R-1001', repairNo),
      expected: expected?.replace('R-1001', repairNo),
    }))
    const printed = await runSteps(steps, own, copy)
    expect(printed.map(text => text?.replace(/locker \d+/, 'locker …'))).toEqual(steps.map(({ expected }) => expected))
  })
})

const pages = ['tutorials/2-first-flow.md', 'tutorials/3-inside-the-engine.md', 'tutorials/4-your-own-process.md']

test.each(pages)('%s shows excerpts of the current source', page => {
  const shown = readBlocks(page).filter(({ info }) => /^\w[\w-]*\//.test(info))
  expect(shown.length).toBeGreaterThan(0)
  for (const { info, text } of shown) expect(readFileSync(join(root, info), 'utf8')).toContain(text)
})

test.each(pages.slice(0, 2))('%s names files and folders that exist', page => {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  const named = [...text.matchAll(/`((?:workflows|flows|test|bench|cli)\/[\w/.-]*)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(2)
  expect(named.filter(path => !path.endsWith('/quickStock.ts') && !existsSync(join(root, path)))).toEqual([])
})

test('a block has its language, its name and the heading above', () => {
  expect(blocksIn('# One\n```sh name\na\n```\n## Two\n```\nb\n```\n')).toEqual([
    { language: 'sh', info: 'name', heading: 'One', text: 'a\n' },
    { language: '', info: '', heading: 'Two', text: 'b\n' },
  ])
})

function commandsNamed(blocks: ReturnType<typeof readBlocks>, name: string): string {
  const block = blocks.find(({ info }) => info === name)
  if (block === undefined) throw new Error(`the page has no block named ${name}`)
  return block.text
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-tutorial-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A copy of the files that processes and programs need, with the packages of the project. */
async function copyOfProject(): Promise<string> {
  // Resolved, since the bundler compares resolved paths.
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'lockerflow-tutorial-')))
  for (const entry of await readdir(root)) {
    if (/^(\..*|node_modules|test|bench|docs|examples)$/.test(entry)) continue
    await cp(join(root, entry), join(folder, entry), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Output without the lines that Bash writes about background jobs. */
function plain(output: string): string {
  return output.replaceAll(/^\[\d+\].*\n/gm, '')
}
