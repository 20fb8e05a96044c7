import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { openStore } from '../../../service/store/index.ts'
import { type Node, readSources, walk } from '../../project/sources.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'

/** A column as one line, such as `tenants.callback_url: text, nullable`. */
type Column = string

// kysely-codegen would write the types, but it reads SQLite through better-sqlite3, libsql or Bun only.
test('the row types have the columns that the migrations create, with their types', async () => {
  const declared = declaredColumns()
  expect(declared.length).toBeGreaterThan(100)
  expect(declared.toSorted()).toEqual((await createdColumns()).toSorted())
})

async function createdColumns(): Promise<Column[]> {
  const store = await openStore(await temporaryStore())
  const tables = await store.introspection.getTables()
  await store.destroy()
  return tables.flatMap(({ name, columns }) =>
    columns.map(column => {
      // SQLite reports its row ids as nullable.
      const isNullable = column.isNullable && !column.isAutoIncrementing
      return line(name, column.name, column.dataType.toLowerCase() === 'text', isNullable)
    }),
  )
}

/** Reads the row types from the source, since Node erases them. */
function declaredColumns(): Column[] {
  const text = readSources('service/store').find(({ path }) => path === 'service/store/tables.ts')?.text ?? ''
  const interfaces = [...walk(parseAst(text, { lang: 'ts' }))].filter(({ type }) => type === 'TSInterfaceDeclaration')
  const membersOf = (name: string) => {
    const found = interfaces.find(({ id }) => (id as Node).name === name)
    return ((found?.body as Node | undefined)?.body ?? []) as { key: Node; typeAnnotation: { typeAnnotation: Node } }[]
  }
  const source = ({ start, end }: Node) => text.slice(Number(start), Number(end))
  return membersOf('Tables').flatMap(({ key, typeAnnotation: row }) =>
    membersOf(source(row.typeAnnotation)).map(({ key: column, typeAnnotation }) => {
      const type = source(typeAnnotation.typeAnnotation)
      const isText = !/\b(number|EpochMillis|SqlBoolean)\b/.test(type)
      return line(source(key), source(column), isText, /\| null$/.test(type))
    }),
  )
}

function line(table: string, column: string, isText: boolean, isNullable: boolean): Column {
  return `${table}.${column}: ${isText ? 'text' : 'number'}${isNullable ? ', nullable' : ''}`
}
