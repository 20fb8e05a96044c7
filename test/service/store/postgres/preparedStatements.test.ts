import { expect, inject, onTestFinished, test } from 'vitest'
import { PreparedStatementsClient } from '../../../../service/store/postgres/preparedStatements.ts'

async function connect() {
  const client = new PreparedStatementsClient({ connectionString: inject('postgres')?.url })
  await client.connect()
  onTestFinished(() => client.end())
  return (text: string, values: readonly unknown[]): Promise<{ rows: unknown[] }> => client.query(text, values)
}

test('lists of all lengths leave names for other statements', async () => {
  const run = await connect()
  for (let length = 1; length <= 300; length++) {
    const places = Array.from({ length }, (_, at) => `$${at + 1}`)
    const rows = places.map(place => `(${place}::text)`).join(', ')
    await run(`select 'list' as kind where 'a' in (${places.join(', ')})`, places)
    await run(`select 'rows' as kind from (values ${rows}) as v`, places)
  }
  await run("select 'last' as kind where 'a' = $1", ['b'])
  const { rows } = await run(
    `select substr(statement, 9, 4) as kind, count(*)::integer as names from pg_prepared_statements
      where statement like $1 group by 1 order by 1`,
    ["select '%' as kind %"],
  )
  expect(rows).toEqual([
    { kind: 'last', names: 1 },
    { kind: 'list', names: 32 },
    { kind: 'rows', names: 32 },
  ])
})
