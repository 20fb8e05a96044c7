import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listSnapshots, restoreFiles, saveFiles } from '../../../cli/sandbox/snapshots.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'

/** A folder with these files, and with a file that no snapshot has. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  for (const [file, text] of Object.entries({ ...files, 'codec.keys': 'key' })) writeFileSync(join(folder, file), text)
  return folder
}

function contentOf(folder: string): object {
  const files = readdirSync(folder, { withFileTypes: true }).filter(each => each.isFile())
  return Object.fromEntries(files.map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]))
}

test('a snapshot brings back its files, and no log of later changes', async () => {
  const folder = folderWith({ 'service.db': 'one', 'clock.json': '1' })
  await saveFiles(folder, 'first')
  writeFileSync(join(folder, 'service.db'), 'two')
  writeFileSync(join(folder, 'service.db-wal'), 'three')
  await restoreFiles(folder, 'first')
  expect(contentOf(folder)).toEqual({ 'service.db': 'one', 'clock.json': '1', 'codec.keys': 'key' })
  expect(readdirSync(folder).toSorted()).toEqual(['clock.json', 'codec.keys', 'service.db', 'snapshots'])
  expect(await listSnapshots(folder)).toEqual(['first'])
})

describe('without a store', () => {
  test.each([
    ['a folder that does not exist', () => join(temporaryFolder(), 'none')],
    ['a folder without a service', () => folderWith({ 'clock.json': '1' })],
  ])('nothing of %s is saved', async (_name, create) => {
    const folder = create()
    await expect(saveFiles(folder, 'latest')).rejects.toMatchObject({
      message: expect.stringMatching(/^There is no stack to save/),
      exitCode: 1,
    })
    expect(await listSnapshots(folder)).toEqual([])
  })

  test('a snapshot replaces no store', async () => {
    const folder = folderWith({ 'service.db': 'one' })
    mkdirSync(join(folder, 'snapshots', 'latest'), { recursive: true })
    await saveFiles(folder, 'whole')
    await expect(restoreFiles(folder, 'latest')).rejects.toMatchObject({
      message: 'name: must be the name of a snapshot, got "latest". Known snapshots: whole.',
      exitCode: 2,
    })
    expect(contentOf(folder)).toMatchObject({ 'service.db': 'one' })
  })
})

test('a copy that fails leaves the store', async () => {
  const folder = folderWith({ 'service.db': 'one' })
  await saveFiles(folder, 'latest')
  writeFileSync(join(folder, 'service.db'), 'two')
  // A folder is not copied as a file is.
  mkdirSync(join(folder, 'snapshots', 'latest', 'temporal.db'))
  await expect(restoreFiles(folder, 'latest')).rejects.toThrow()
  expect(contentOf(folder)).toEqual({ 'service.db': 'two', 'codec.keys': 'key' })
  expect(readdirSync(folder).toSorted()).toEqual(['codec.keys', 'service.db', 'snapshots'])
})
