import { inTransaction, openStore, type Store } from '../../../service/store/index.ts'

/** A row with it fills one or two pages of SQLite, in the table and the index of names. */
const name = 'P'.repeat(1_500)

/** Commits rows of one or two pages each. */
export async function writePages(store: Store, first: number, count: number): Promise<void> {
  await inTransaction(store, async tx => {
    for (let n = first; n < first + count; n++)
      await tx
        .insertInto('pick_up_points')
        .values({ pup_uid: `pup-${n}`, name, time_zone: 'UTC' })
        .execute()
  })
}

// As a process of its own, it writes until it is killed.
if (import.meta.main) {
  const store = await openStore(process.argv[2] ?? '')
  for (let rows = 0; ; rows += 100) {
    if (rows > 0) process.stdout.write(`${rows}\n`)
    await writePages(store, rows, 100)
  }
}
