import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runVerb, startVerb } from '../support/command/verbs.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('writes a project by its options, and no file twice', async () => {
  const target = join(folder, 'shop')
  const words = ['init', target, '--yes', '--flow', 'stock', '--runner', 'vitest', '--pick-up-point', 'hall']
  await runVerb({}, ...words)
  const files = ['.env', '.gitignore', 'package.json', 'start.test.ts', 'start.ts', 'tsconfig.json']
  expect((await readdir(target)).toSorted()).toEqual(files)
  expect((await stat(join(target, '.env'))).mode & 0o777).toBe(0o600)
  const manifest = JSON.parse(await readFile(join(target, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: 'shop', scripts: { test: 'vitest run' } })
  const { version } = JSON.parse(await readFile('packages/lockerflow/package.json', 'utf8'))
  expect(manifest.dependencies.lockerflow).toBe(version)
  const start = await readFile(join(target, 'start.ts'), 'utf8')
  expect(start).toContain("PupUid: 'hall',")
  expect(start).not.toContain('onboardAccount')
  expect(await startVerb({}, ...words).ended).toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('must not exist yet'),
  })
})

test.each([
  [['init', 'Shop', '--yes'], 'folder must end with a name'],
  [['init', 'shop', '--yes', '--flow', 'swap'], '--flow must be issue, intake, stock, and is swap.'],
  [['init', 'shop', '--yes', '--runner', 'jest'], '--runner must be node or vitest, and is jest.'],
  [['init', 'shop', '--yes', '--pick-up-point', "a'b"], '--pick-up-point must be the uid'],
  [['init', 'shop', '--yes', '--base-url', 'nowhere'], '--base-url must be an address.'],
  [['init', 'flow', 'key-return'], 'name must be letters and digits'],
])('%j is used wrongly, and nothing is written', async (words, message) => {
  expect(await startVerb({}, ...words).ended).toMatchObject({ exitCode: 2, message: expect.stringContaining(message) })
})
