import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles } from '../support/project/files.ts'
import { root } from './sources.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The id of each decision, which follows an anchor of the same name. */
const ids = listFiles('docs/explanation/decisions/*.md').flatMap(page =>
  Array.from(read(page).matchAll(/<a id="d-(\d{3})"><\/a>D-\1\b/g), ([, id]) => `D-${id}`),
)

test('the id of each decision is unique', () => {
  expect(ids).not.toEqual([])
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('every id that code, tests or pages name is that of a decision', () => {
  const files = listFiles().filter(path => /\.(ts|mjs|md|ya?ml|py|go|java)$/.test(path))
  const unknown = files.flatMap(path => {
    const named = read(path).match(/\bD-\d{3}\b/g) ?? []
    return named.filter(id => !ids.includes(id)).map(id => `${path}: ${id}`)
  })
  expect(unknown).toEqual([])
})
