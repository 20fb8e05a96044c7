import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decisionsIn, readDecisions } from '../support/project/decisions.ts'
import { listFiles } from '../support/project/files.ts'
import { root } from './sources.ts'

const ids = readDecisions().map(({ id }) => id)

test('the id of each decision is unique, and has an anchor', () => {
  expect(ids.length).toBeGreaterThan(90)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('every id that code, tests or pages name is a decision', () => {
  const unknown = textFiles().flatMap(path => {
    const named = readFileSync(join(root, path), 'utf8').matchAll(/\bD-\d{3}\b/g)
    return [...named].filter(([id]) => !ids.includes(id)).map(([id]) => `${path}: ${id}`)
  })
  expect(unknown).toEqual([])
})

test('the index lists the decisions of each page', () => {
  const folder = join(root, 'docs/explanation/decisions')
  const index = readFileSync(join(folder, 'README.md'), 'utf8')
  const rows = [...index.matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\) \| ([^|]+) \|/gm)]
  expect(rows.length).toBeGreaterThan(10)
  for (const [, page = '', ranges = ''] of rows) {
    const listed = [...ranges.matchAll(/D-(\d+)(?: to D-(\d+))?/g)].flatMap(([, from, to = from]) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, each) => Number(from) + each),
    )
    const decided = decisionsIn(readFileSync(join(folder, page), 'utf8')).map(({ id }) => Number(id.slice(2)))
    expect([page, decided.filter(id => !listed.includes(id))]).toEqual([page, []])
  }
})

test('a decision is found as a heading and as a row', () => {
  expect(decisionsIn('## <a id="d-001"></a>D-001 One\n| <a id="d-002"></a>D-002 | Two | text |\nD-003 three')).toEqual([
    { id: 'D-001', title: 'One' },
    { id: 'D-002', title: 'Two' },
  ])
})

function textFiles(): string[] {
  return listFiles().filter(
    path => /\.(ts|mjs|md|ya?ml|py|go|java)$/.test(path) && path !== 'test/project/decisions.test.ts',
  )
}
