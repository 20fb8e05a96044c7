import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

test('no workflow runs a local activity, since its history may not replay when a query arrives with it', () => {
  const sources = readSources('workflows')
  expect(sources.length).toBeGreaterThan(20)
  expect(sources.filter(({ text }) => /\b(proxy|schedule)LocalActivit/.test(text)).map(({ path }) => path)).toEqual([])
})
