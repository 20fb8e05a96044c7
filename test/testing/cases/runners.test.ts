import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Edge } from '#flows'
import { describeCases } from '#testing/cases/describe'
import type { StoryTarget } from '#testing/story'
import { createSimulatedTarget } from '#testing/story/simulated'
import { root } from '../../project/sources.ts'
import { childEnvironment } from '../../support/childEnvironment.ts'

const run = promisify(execFile)

/** In the project, since `#testing/cases` is a name of its package. */
let folder = ''

const passing = `- case: the user collects the item
  flow: issue
  request: { $example: CreateLocalShipmentAsIssue }
  story: [{ dropOff: issue }, { pickUp: issue }]
  ends: { outcome: completed }
`
const failing = passing.replace('outcome: completed', 'outcome: expired')

beforeAll(async () => {
  await mkdir(join(root, '.lockerflow'), { recursive: true })
  folder = await mkdtemp(join(root, '.lockerflow', 'runners-'))
  await writeFile(join(folder, 'passing.yaml'), passing)
  await writeFile(join(folder, 'failing.yaml'), failing)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** A test file for a runner. */
async function testFile(name: string, imports: string, cases: string): Promise<string> {
  const file = join(folder, name)
  const text = `${imports}
import { describeCases } from '#testing/cases/describe'
await describeCases({ describe, test }, { cases: ['${cases}.yaml'], folder: import.meta.dirname })
`
  await writeFile(file, text)
  return file
}

/** The output and the exit code of a program. */
async function outcomeOf(program: string, args: readonly string[]) {
  const options = { cwd: root, env: { ...childEnvironment } }
  return run(program, args, options).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), text: `${stdout}${stderr}` }),
  )
}

// The tests of vitest itself.
await describeCases({ describe, test }, { cases: ['flows/cases/stock.yaml'], folder: root })

test('a calendar file that is wrong is an error that names the option', async () => {
  const options = { cases: ['flows/cases/stock.yaml'], calendars: 'package.json', folder: root }
  await expect(describeCases({ describe, test }, options)).rejects.toThrow('calendars: ')
})

/** The bodies of the tests that cases become. */
async function bodiesOf(cases: string, target?: StoryTarget): Promise<(() => Promise<void>)[]> {
  const bodies: (() => Promise<void>)[] = []
  const runner = {
    describe: (_: string, body: () => void) => body(),
    test: (_: string, body: () => Promise<void>) => bodies.push(body),
  }
  await describeCases(runner, { cases: [cases], folder, ...(target && { target }) })
  return bodies
}

test('a case that fails is a failed test that names the place', async () => {
  const [body] = await bodiesOf('failing.yaml')
  await expect(body?.()).rejects.toThrow('failing.yaml:5:20: ends.outcome: Expected "expired"')
})

test('a case that the parts do not run is a failed test', async () => {
  const unsupported = () => 'these parts lose no callbacks'
  const [body] = await bodiesOf('passing.yaml', { ...createSimulatedTarget(), unsupported })
  await expect(body?.()).rejects.toThrow(/^The case was not run: these parts lose no callbacks\.$/)
})

test('a case that takes a way which the check of declarations does not know is a failed test', async () => {
  const simulated = createSimulatedTarget()
  const strange: Edge = { step: 'booking', cause: 'remind', next: 'booking' }
  const target: StoryTarget = {
    ...simulated,
    async start(start) {
      const run = await simulated.start(start)
      const edges = async () => [...(await run.edges()), strange, strange]
      return {
        edges,
        values: run.values,
        perform: word => run.perform(word),
        observe: matches => run.observe(matches),
        close: () => run.close(),
      }
    },
  }
  const [body] = await bodiesOf('passing.yaml', target)
  await expect(body?.()).rejects.toThrow(/^booking → booking \(remind\)\. A case took this way, [^\n]*$/)
})

test('a file with a fault stops the run', async () => {
  await writeFile(join(folder, 'broken.yaml'), passing.replace('pickUp', 'pickup'))
  await expect(describeCases({ describe, test }, { cases: ['broken.yaml'], folder })).rejects.toThrow('broken.yaml:4:')
})

describe('node:test', () => {
  const imports = "import { describe, test } from 'node:test'"

  test('runs cases', async () => {
    const { code, text } = await outcomeOf(process.execPath, [
      '--test',
      await testFile('passing.test.ts', imports, 'passing'),
    ])
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('the user collects the item') })
  })

  test('reports a case that fails', async () => {
    const { code, text } = await outcomeOf(process.execPath, [
      '--test',
      await testFile('failing.test.ts', imports, 'failing'),
    ])
    expect({ code, text }).toMatchObject({ code: 1, text: expect.stringContaining('Expected "expired"') })
  })
})

/** Jest is no package of the project: a test runs the one on the path. */
const jest = (process.env.PATH ?? '')
  .split(delimiter)
  .map(path => join(path, 'jest'))
  .find(existsSync)
if (jest === undefined) console.error('jest is skipped: the PATH has no jest')

describe.skipIf(jest === undefined)('jest', () => {
  const config = `export default {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  testTimeout: 60_000,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\\\.ts$': '<rootDir>/strip.mjs' },
}`
  const strip = `import { stripTypeScriptTypes } from 'node:module'
export default { process: source => ({ code: stripTypeScriptTypes(source) }) }`

  test.each([
    ['passing', 0],
    ['failing', 1],
  ])('runs a %s case', async (cases, expected) => {
    await writeFile(join(folder, 'jest.config.mjs'), config)
    await writeFile(join(folder, 'strip.mjs'), strip)
    const file = await testFile(`${cases}.test.ts`, '', cases)
    const node = ['--experimental-vm-modules', await realpath(jest ?? '')]
    const { code, text } = await outcomeOf(process.execPath, [
      ...node,
      '--config',
      join(folder, 'jest.config.mjs'),
      '--runTestsByPath',
      file,
    ])
    expect({ code, text }).toMatchObject({
      code: expected,
      text: expect.stringContaining('the user collects the item'),
    })
  })
})
