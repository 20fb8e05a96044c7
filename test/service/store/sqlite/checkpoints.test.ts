import { statSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { inTransaction, openStore, type Store, withSmallCheckpoints } from '../../../../service/store/index.ts'
import { toPath } from '../../../../service/store/sqlite/open.ts'
import { temporaryFile } from '../../../support/service/temporaryStore.ts'

/** More than a small checkpoint, and fewer than a usual one. A row fills a page. */
const rows = 400
const name = 'P'.repeat(3_000)

test('a commit copies fewer pages at a time, and later ones copy them as usual', async () => {
  const { store, grownBy } = await open()
  expect(await grownBy(() => writePages(store, 'first'))).toBe(0)
  expect(await grownBy(() => withSmallCheckpoints(store, () => writePages(store, 'purge')))).toBeGreaterThan(0)
  expect(await grownBy(() => writePages(store, 'last'))).toBe(0)
})

test('later commits copy as usual after an error too', async () => {
  const { store, grownBy } = await open()
  const failed = withSmallCheckpoints(store, async () => {
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(await grownBy(() => writePages(store, 'first'))).toBe(0)
})

async function open() {
  const url = temporaryFile()
  const store = await openStore(url)
  onTestFinished(() => store.destroy())
  const size = () => statSync(toPath(url)).size
  /** The growth of the file, which only checkpoints write, in bytes. */
  async function grownBy(write: () => Promise<void>): Promise<number> {
    await sql`pragma wal_checkpoint(truncate)`.execute(store)
    const before = size()
    await write()
    return size() - before
  }
  return { store, grownBy }
}

async function writePages(store: Store, prefix: string): Promise<void> {
  await inTransaction(store, async tx => {
    for (let n = 0; n < rows; n++)
      await tx
        .insertInto('pick_up_points')
        .values({ pup_uid: `${prefix}-${n}`, name, time_zone: 'UTC' })
        .execute()
  })
}
