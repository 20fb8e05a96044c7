import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startService } from '#service'
import { generated, table } from './markdown.ts'

const source = readFileSync(new URL('../../service/store/tables.ts', import.meta.url), 'utf8')

/** docs/reference/database.md: the tables of a store that was just migrated, with the comments of their row types. */
export async function databasePage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-docs-'))
  try {
    const file = join(folder, 'service.db')
    const service = await startService({ databaseUrl: `file:${file}` })
    await service.stop()
    const database = new DatabaseSync(file, { readOnly: true })
    const tables = Object.entries(rowTypes()).map(([name, type]) => section(database, name, type))
    database.close()
    return `${[generated, introduction, ...tables].join('\n\n')}\n`
  } finally {
    await rm(folder, { recursive: true })
  }
}

const introduction = `# Database

The tables of the service, the same in the embedded store and in PostgreSQL. A service applies the migrations in
\`service/store/migrations\` at its start, under a lock. They only go forward, and an older version runs on newer tables.
Reports may read the tables. Changes go through the API only.

- Moments are milliseconds since 1970, as \`bigint\`. Flags are 0 or 1.
- On PostgreSQL, texts have the collation \`C\`, and a \`seq\` is a \`bigserial\`.`

interface ColumnInfo {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
}

function section(database: DatabaseSync, name: string, type: string): string {
  const columns = database.prepare(`pragma table_info(${name})`).all() as unknown as ColumnInfo[]
  const references = new Map(
    database
      .prepare(`pragma foreign_key_list(${name})`)
      .all()
      .map(key => [String(key.from), `${key.table}.${key.to}`]),
  )
  const { about, comments } = rowComments(type)
  const rows = columns.map(({ name, type, notnull, pk }) => [
    `\`${name}\``,
    type.toLowerCase(),
    [
      ...(pk > 0 ? ['key'] : []),
      ...(notnull === 0 && pk === 0 ? ['may be null'] : []),
      ...(references.has(name) ? [`→ \`${references.get(name)}\``] : []),
    ].join(', '),
    comments.get(name) ?? '',
  ])
  return [`## ${name}`, ...(about === '' ? [] : [about]), table(['column', 'type', '', 'meaning'], rows)].join('\n\n')
}

/** The row type of each table, as `interface Tables` has them. */
function rowTypes(): Record<string, string> {
  const body = /export interface Tables \{\n(.*?)\n\}/s.exec(source)?.[1] ?? ''
  return Object.fromEntries([...body.matchAll(/^ {2}(\w+): (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]))
}

/** The comment of a row type, and those of its columns. */
function rowComments(type: string): { about: string; comments: Map<string, string> } {
  const [, about = '', body = ''] =
    new RegExp(`(?:/\\*\\*((?:(?!\\*/).)*?)\\*/\\n)?export interface ${type} \\{\\n(.*?)\\n\\}`, 's').exec(source) ?? []
  const comments = [...body.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s*(\w+)\??:/gs)]
  return { about: plain(about), comments: new Map(comments.map(([, text = '', name = '']) => [name, plain(text)])) }
}

/** The text of a comment on one line. */
function plain(comment: string): string {
  return comment.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim()
}
