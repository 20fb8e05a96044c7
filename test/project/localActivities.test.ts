import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

test('no workflow runs a local activity, since with a query beside it its history may not replay', () => {
  const sources = readSources('workflows')
  expect(sources.length).toBeGreaterThan(20)
  expect(sources.filter(({ text }) => /\b(proxy|schedule)LocalActivit/.test(text)).map(({ path }) => path)).toEqual([])
})
