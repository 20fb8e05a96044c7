import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { localKeyFile, readLocalKey } from '../../../cli/callbacks/localKey.ts'

let environment: { XDG_STATE_HOME: string }

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  environment = { XDG_STATE_HOME: folder }
})

test('verbs that need a first key at once have the same one, which only the user can read', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => readLocalKey(environment)))
  const [key = ''] = keys
  expect(key).toMatch(/^[\w-]{32}$/)
  expect(new Set(keys)).toEqual(new Set([key]))
  expect(await readLocalKey(environment)).toBe(key)
  const file = localKeyFile(environment)
  expect(await readFile(file, 'utf8')).toBe(`${key}\n`)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(dirname(file))).toEqual(['callback-key'])
})

test('a file without a valid key gets one', async () => {
  await readLocalKey(environment)
  await writeFile(localKeyFile(environment), 'short\n', { mode: 0o644 })
  const key = await readLocalKey(environment)
  expect(key).toMatch(/^[\w-]{32}$/)
  expect(await readFile(localKeyFile(environment), 'utf8')).toBe(`${key}\n`)
})
