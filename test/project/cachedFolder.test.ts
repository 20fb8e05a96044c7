import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cachedFolder } from '../support/cachedFolder.ts'

let cache: string

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
})

afterEach(() => rm(cache, { recursive: true, force: true }))

/** Makes a folder with a file that says who made it. */
function maker(name: string) {
  return (folder: string) => writeFile(join(folder, 'by'), name)
}

test('a folder is created once', async () => {
  const first = await cachedFolder(cache, 'tool-1', maker('the first'))
  const second = await cachedFolder(cache, 'tool-1', maker('the second'))
  expect(second).toBe(first)
  expect(await readFile(join(second, 'by'), 'utf8')).toBe('the first')
})

test('two concurrent creations get the same folder, and leave nothing else', async () => {
  const names = ['one', 'other']
  const made = await Promise.all(names.map(name => cachedFolder(cache, 'tool-1', maker(name))))
  expect(new Set(made).size).toBe(1)
  expect(names).toContain(await readFile(join(made[0] ?? '', 'by'), 'utf8'))
  expect(await readdir(cache)).toEqual(['tool-1'])
})

test('a failed creation leaves nothing, and can be repeated', async () => {
  const broken = cachedFolder(cache, 'tool-1', async folder => {
    await maker('half')(folder)
    throw new Error('the disk is full')
  })
  await expect(broken).rejects.toThrow('the disk is full')
  expect(await readdir(cache)).toEqual([])
  await cachedFolder(cache, 'tool-1', maker('whole'))
  expect(await readdir(cache)).toEqual(['tool-1'])
})

test('a creation removes the folder that a killed process has left, but not that of a running one', async () => {
  const aged = new Date(Date.now() - 2 * 60 * 60_000)
  for (const name of ['tool-1.making-killed', 'tool-1.making-running', 'tool-2.making-killed']) {
    await mkdir(join(cache, name))
    await writeFile(join(cache, name, 'half'), '')
    if (name.endsWith('killed')) await utimes(join(cache, name), aged, aged)
  }
  await cachedFolder(cache, 'tool-1', maker('whole'))
  expect((await readdir(cache)).toSorted()).toEqual(['tool-1', 'tool-1.making-running', 'tool-2.making-killed'])
})
