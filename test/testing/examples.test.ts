import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../project/sources.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import { findActionlint } from '../support/examples/actionlint.ts'

const run = promisify(execFile)
/** Where Temporal's command is. */
const cache = { HOME: process.env.HOME ?? '', XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? '' }
const examples = join(root, 'examples', 'testing')
let folder: string

/** A project below the root, so that it finds its test runner, in which @lockerflow/testing is the sources. */
beforeAll(async () => {
  await mkdir(join(root, '.lockerflow'), { recursive: true })
  folder = await mkdtemp(join(root, '.lockerflow', 'testing-examples-'))
  const installed = join(folder, 'node_modules', '@lockerflow', 'testing')
  await mkdir(installed, { recursive: true })
  await writeFile(join(installed, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }))
  const source = pathToFileURL(join(root, 'testing', 'index.ts')).href
  await writeFile(join(installed, 'index.js'), `export * from '${source}'\n`)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await writeFile(join(folder, 'vitest.config.js'), "export default { test: { include: ['vitest.test.ts'] } }\n")
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test.each([
  ['node', ['--test', 'node.test.ts'], 'pass 1'],
  ['vitest', [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--root', '.'], '1 passed'],
])(
  'the example of %s runs',
  async (runner, args, printed) => {
    await copyFile(join(examples, runner, 'overdue.test.ts'), join(folder, `${runner}.test.ts`))
    // An address without a server: each stack has a server of its own.
    const env = { ...childEnvironment, ...cache, TEMPORAL_ADDRESS: '127.0.0.1:1', NO_COLOR: '1' }
    const { stdout } = await run(process.execPath, args, { cwd: folder, env })
    expect(stdout).toContain(printed)
  },
  180_000,
)

test('the example of jest differs from that of vitest by its imports and types only', async () => {
  const bodyOf = async (path: string) => {
    const lines = (await readFile(join(examples, path), 'utf8')).split('\n').filter(line => !line.startsWith('import '))
    return lines.join('\n').replace(': Lockers', '').trim()
  }
  expect(await bodyOf('jest/overdue.test.js')).toBe(await bodyOf('vitest/overdue.test.ts'))
})

test('the workflow of GitHub caches the folder of Temporal, and passes actionlint', async context => {
  const file = join(examples, 'github-actions.yml')
  const steps = Object.values(parse(await readFile(file, 'utf8')).jobs as Record<string, { steps: object[] }>)[0]?.steps
  expect(steps).toContainEqual(
    expect.objectContaining({ with: expect.objectContaining({ path: '~/.cache/lockerflow' }) }),
  )
  expect(steps).toContainEqual(expect.objectContaining({ with: expect.objectContaining({ 'node-version': 24 }) }))
  const actionlint = await findActionlint(line => console.error(line))
  if (actionlint === undefined) context.skip('the PATH has no go')
  else expect(await run(actionlint, [file])).toMatchObject({ stdout: '' })
}, 180_000)
