import { sql } from 'kysely'
import type { Store } from '../store/index.ts'
import { hasRowLocks } from '../store/locks.ts'
import type { SuggestionLine } from './upload.ts'

/** The texts of a row, in the order of the columns. */
const texts: readonly ((line: SuggestionLine) => string | null)[] = [
  line => line.emailAddress.toLowerCase(),
  line => line.emailAddress,
  line => line.phoneNumber,
  line => line.languageCode,
  line => line.firstName,
  line => line.lastName,
  line => line.remarks,
  line => line.pickUpPoint,
  line => line.searchKey,
]
const columns = sql.raw(
  'email_key, email, phone_number, language_code, first_name, last_name, remarks, pick_up_point, search_key',
)
const values = sql.raw(texts.map((_, at) => `value ->> ${at + 1}`).join(', '))

/**
 * Inserts rows of an upload. A parameter per column would be garbage of 100 MB for 100,000 rows, and their statement would be built
 * anew for each slice.
 */
export async function insertLines(store: Store, uploadId: string, lines: readonly SuggestionLine[]): Promise<void> {
  const json = JSON.stringify(lines.map(line => [line.position, ...texts.map(read => read(line)?.toWellFormed())]))
  const elements = hasRowLocks(store) ? sql`json_array_elements(${json})` : sql`json_each(${json})`
  await sql`
    insert into suggestions (upload_id, position, ${columns})
    select ${uploadId}, cast(value ->> 0 as integer), ${values} from ${elements}`.execute(store)
}
