import { expect, test } from 'vitest'
import type { TestCase } from '#cases'
import { flows } from '#flows'
import { findUnsupported } from '../../cases/real/unsupported.ts'
import { moments } from '../support/flows/moments.ts'

const date = '2027-03-05T09:00:00Z'

test.each<[string, TestCase['story'][number], number, string | undefined]>([
  ['a time after the start', { at: { $in: '30d' } }, 0.5, undefined],
  ['a time that passes', { after: '24d' }, 1, undefined],
  ['a word without a time', { expect: { step: 'pickUp' } }, 1, undefined],
  ['a date', { at: date }, 1, 'story[1].at: must be { $in } with a time after the start, since real parts start now'],
  ['a time beyond a timer of Node', { after: '25d' }, 1, 'story[1]: must take at most 24 days on real parts'],
  ['a moment beyond a timer of Node', { at: { $in: '60d' } }, 0.5, 'give a smaller factor than 0.5'],
])('%s', (_, word, factor, reason) => {
  const test: TestCase = { case: 'c', flow: 'issue', request: {}, story: [{ dropOff: 'issue' }, word] }
  const found = findUnsupported(test, flows.issue, factor)
  if (reason === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(reason)
})

test.each<[string, TestCase['request'], string | undefined]>([
  ['times after the start', { neededBy: { $in: '3d' }, wakeAt: { $in: '1d' } }, undefined],
  ['a date by which no step ends', { neededBy: { $in: '3d' }, wakeAt: { $in: '1d' }, customerUid: date }, undefined],
  ['a date of a window', { neededBy: date, wakeAt: { $in: '1d' } }, 'request.neededBy: must be { $in }'],
  ['a date of a sleep', { neededBy: { $in: '3d' }, wakeAt: date }, 'request.wakeAt: must be { $in }'],
])('a request with %s', (_, request, reason) => {
  const found = findUnsupported({ case: 'c', flow: 'moments', request, story: [] }, moments, 1)
  if (reason === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(reason)
})
