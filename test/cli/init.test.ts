import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { projectFiles, type Runner, requests, runners, type StartedFlow } from '../../cli/init/templates.ts'
import { root } from '../project/sources.ts'
import { hasTerminal, keys, runOnTerminal } from '../support/command/terminal.ts'
import { runVerb, startVerb } from '../support/command/verbs.ts'
import { compile, typeCheck } from '../support/release/typeCheck.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('writes a project by its options, and no file twice', async () => {
  const target = join(folder, 'shop')
  const words = ['init', target, '--yes', '--flow', 'stock', '--runner', 'vitest', '--pick-up-point', 'hall']
  const { lines } = await runVerb({}, ...words)
  // A mere `npm install` would not find the packages.
  expect(lines.join('\n')).toMatch(/npm run release -- packages --out FOLDER[\s\S]*npm install FOLDER\/\*\.tgz/)
  const files = ['.env', '.gitignore', 'package.json', 'start.test.ts', 'start.ts', 'tsconfig.json']
  expect((await readdir(target)).toSorted()).toEqual(files)
  expect((await stat(join(target, '.env'))).mode & 0o777).toBe(0o600)
  const manifest = JSON.parse(await readFile(join(target, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: 'shop', scripts: { test: 'vitest run' } })
  const { version } = JSON.parse(await readFile('packages/lockerflow/package.json', 'utf8'))
  expect(manifest.dependencies.lockerflow).toBe(version)
  const start = await readFile(join(target, 'start.ts'), 'utf8')
  // The program reads every setting of the file.
  const settings = (await readFile(join(target, '.env'), 'utf8')).matchAll(/^(\w+)=/gm)
  for (const [, name] of settings) expect(start).toContain(`process.env.${name}`)
  expect(start).toContain("PupUid: 'hall',")
  expect(start).not.toContain('onboardAccount')
  expect(await startVerb({}, ...words).ended).toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('must not exist yet'),
  })
})

test.each([
  [['init', 'Shop', '--yes'], 'folder: must end with a name'],
  [['init', '', '--yes'], 'folder: must end with a name of lower-case letters, digits and -, got ""'],
  [['init', 'shop', '--yes', '--flow', 'swap'], '--flow: must be one of issue, intake, stock, got "swap".'],
  [['init', 'shop', '--yes', '--runner', 'jest'], '--runner: must be node or vitest, got "jest".'],
  [['init', 'shop', '--yes', '--pick-up-point', "a'b"], '--pick-up-point: must be the uid'],
  [['init', 'shop', '--yes', '--base-url', 'nowhere'], '--base-url: must be an option'],
  [['init', 'flow', 'key-return'], 'name: must be letters and digits'],
  [['init', 'flow', 'stock'], 'name: must not be that of a built-in flow, got "stock".'],
])('%j is used wrongly, and nothing is written', async (words, message) => {
  expect(await startVerb({}, ...words).ended).toMatchObject({ exitCode: 2, message: expect.stringContaining(message) })
})

test('the programs of every flow and runner have no type error', async () => {
  const programsOf = (flow: StartedFlow, runner: Runner) => {
    const answers = { name: 'shop', flow, runner, pickUpPoint: 'pup-1' }
    const programs = Object.entries(projectFiles(answers, '1.0.0')).filter(([file]) => file.endsWith('.ts'))
    expect(programs.map(([file]) => file)).toEqual(['start.ts', 'start.test.ts'])
    return programs.map(([file, text]) => [`${flow}-${runner}-${file}`, text] as const)
  }
  const flows = Object.keys(requests) as StartedFlow[]
  const modules = Object.fromEntries(flows.flatMap(flow => runners.flatMap(runner => programsOf(flow, runner))))
  expect(Object.keys(modules)).toHaveLength(12)
  expect(await typeCheck(modules)).toBe('')
})

test('the compiler of the project accepts what Node runs, and only that', async () => {
  const project = await mkdtemp(join(root, '.lockerflow', 'init-'))
  onTestFinished(() => rm(project, { recursive: true }))
  const answers = { name: 'shop', flow: 'stock', runner: 'node', pickUpPoint: 'pup-1' } as const
  const files = {
    'tsconfig.json': projectFiles(answers, '1.0.0')['tsconfig.json'],
    'flow.ts': "export type Name = string\nexport const name: Name = 'keyReturn'\n",
    'runs.ts': "import { type Name, name } from './flow.ts'\nexport const names: Name[] = [name]\n",
    'enum.ts': 'export enum State {\n  Open,\n}\n',
    'typeImport.ts': "import { Name } from './flow.ts'\nexport const other: Name = 'issue'\n",
  }
  for (const [file, text] of Object.entries(files)) await writeFile(join(project, file), text ?? '')
  const runs = (file: string) => promisify(execFile)(process.execPath, [join(project, file)])
  await runs('runs.ts')
  for (const file of ['enum.ts', 'typeImport.ts']) await expect(runs(file)).rejects.toThrow()
  const faults = (await compile(project)).trim().split('\n')
  expect(faults.map(fault => /(\w+\.ts)\(/.exec(fault)?.[1]).toSorted()).toEqual(['enum.ts', 'typeImport.ts'])
})

test.skipIf(!hasTerminal)('asks four questions on a terminal, and writes the project of the answers', async () => {
  const { code, printed } = await runOnTerminal(
    {},
    ['init'],
    [
      ['In which folder?', `asked${keys.enter}`],
      ['Which flow does the project start?', `${keys.down}${keys.enter}`],
      ['At which pick up point?', `hall${keys.enter}`],
      ['Which test runner?', `${keys.down}${keys.enter}`],
    ],
    folder,
  )
  expect([code, printed]).toEqual([0, expect.stringContaining('Written: package.json,')])
  const read = (file: string) => readFile(join(folder, 'asked', file), 'utf8')
  expect(JSON.parse(await read('package.json'))).toMatchObject({ name: 'asked', scripts: { test: 'vitest run' } })
  expect(await read('start.ts')).toMatch(/startAndWaitForBooking\('intake', \{[\s\S]*PupUid: 'hall',/)
  expect(await read('.env')).toContain('TEMPORAL_ADDRESS=127.0.0.1:7233\n')
})

test.skipIf(!hasTerminal)('writes nothing when a question is cancelled', async () => {
  const { code, printed } = await runOnTerminal(
    {},
    ['init', 'given'],
    [['Which flow does the project start?', '\u0003']],
    folder,
  )
  expect([code, printed]).toEqual([1, expect.stringContaining('Nothing was written.')])
  expect(await readdir(folder)).not.toContain('given')
})
