import { expect, test } from 'vitest'
import { readMentions } from './mentions.ts'
import { rules } from './rules.ts'

const ids = Object.values(rules).flatMap(section => Object.keys(section))
const mentions = readMentions()

test('every rule of the specification is named by a test', () => {
  const all = Object.values(rules).flatMap(section => Object.entries(section))
  expect(all.filter(([id]) => !mentions.has(id))).toEqual([])
})

test('every id that a test names is that of one rule', () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect([...mentions].filter(([id]) => !ids.includes(id))).toEqual([])
})
