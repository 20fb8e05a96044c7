import { expect, test } from 'vitest'
import { createStatementNames } from '../../../../service/store/postgres/preparedStatements.ts'

test('lists of all lengths leave names for other statements', () => {
  const { toName } = createStatementNames()
  const named = { list: new Set<string>(), rows: new Set<string>() }
  for (let length = 1; length <= 300; length++) {
    const places = Array.from({ length }, (_, at) => `$${at + 1}`)
    const rows = places.map(place => `(${place}::text)`).join(', ')
    const list = toName(`select 'list' as kind where 'a' in (${places.join(', ')})`)
    if (list !== undefined) named.list.add(list)
    const values = toName(`select 'rows' as kind from (values ${rows}) as v`)
    if (values !== undefined) named.rows.add(values)
  }
  expect([named.list.size, named.rows.size]).toEqual([32, 32])
  expect(toName("select 'last' as kind where 'a' = $1")).toBeDefined()
})

test('a statement keeps its name until all are renewed', () => {
  const { toName, renew } = createStatementNames()
  const [one, other] = [toName('select $1'), toName('select $1, $2')]
  expect(toName('select $1')).toBe(one)
  expect(other).not.toBe(one)
  renew()
  expect([one, other]).not.toContain(toName('select $1'))
})
