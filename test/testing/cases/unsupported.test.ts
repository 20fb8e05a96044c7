import { expect, test } from 'vitest'
import { type FlowDeclaration, flows } from '#flows'
import type { TestCase } from '#testing/cases'
import { findUnsupported } from '../../../testing/story/real/unsupported.ts'
import { moments, visits } from '../../support/flows/moments.ts'

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
  const found = findUnsupported({ flow: 'moments', request, story: [] }, moments, 1)
  if (reason === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(reason)
})

test.each<[string, TestCase['request'][string], string | undefined]>([
  ['a time after the start', { $in: '3d' }, undefined],
  ['a date', date, `story[0].fields.visitAt: must be { $in } with a time after the start`],
])('an answer with %s', (_, visitAt, reason) => {
  const story: TestCase['story'] = [{ answer: 'named', step: 'visit', fields: { visitAt } }]
  const found = findUnsupported({ flow: 'visits', request: {}, story }, visits, 1)
  if (reason === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(reason)
})

test.each<[string, TestCase['request'][string], string | undefined]>([
  ['a time after the start', { $in: '3d' }, undefined],
  ['a date', date, 'runs.findSlot.returns.visit.at: must be { $in } with a time after the start'],
])('a result with %s', (_, at, reason) => {
  const slot = { name: 'slot', run: 'findSlot', with: {}, keep: { visit: { fields: { at: 'instant' } } } } as const
  const flow: FlowDeclaration = {
    name: 'slots',
    summary: 'A visit waits for its slot.',
    input: {},
    steps: [
      { ...slot, summary: 'A slot is found.', undo: 'nothing', timeout: '1m' },
      { name: 'stay', summary: 'The visit takes place.', sleep: { until: { at: 'slot.visit.at' } } },
    ],
  }
  const runs = { findSlot: { returns: { visit: { at } } } }
  const found = findUnsupported({ flow: 'slots', request: {}, runs, story: [] }, flow, 1)
  if (reason === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(reason)
})
