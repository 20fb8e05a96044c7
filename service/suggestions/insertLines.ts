import { sql } from 'kysely'
import type { Store } from '../store/index.ts'
import { hasRowLocks } from '../store/locks.ts'
import { lineColumns } from './lineColumns.ts'

const names = Object.keys(lineColumns)
const columns = sql.raw(names.join(', '))
const values = sql.raw(names.map((_, at) => `value ->> ${at + 1}`).join(', '))

/**
 * Inserts rows of an upload. A parameter per column would be garbage of 100 MB for 100,000 rows, and their statement would be built
 * anew for each slice. PostgreSQL gets the bytes as they are: texts would enlarge the young generation of the service's heap.
 * @param lines JSON: a list of `toValues` for each row
 */
export async function insertLines(store: Store, uploadId: string, lines: Buffer): Promise<void> {
  const elements = hasRowLocks(store) ? sql`json_array_elements(${lines})` : sql`json_each(${lines.toString()})`
  await sql`
    insert into suggestions (upload_id, position, ${columns})
    select ${uploadId}, cast(value ->> 0 as integer), ${values} from ${elements}`.execute(store)
}
