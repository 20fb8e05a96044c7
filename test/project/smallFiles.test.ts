import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

/** A file with fewer lines is seldom worth opening. */
const fewLines = 30
const mostSmallFiles = 75

/** Operations and flows have a file each. A door has the names of its folder, and a program those of its parts. */
const ownFile = /(^|\/)operations\/|^flows\/|(^|\/)(index|main)\.ts$|^(test|examples)\//

test('few files are too small to be worth opening', () => {
  const small = readSources('.')
    .filter(({ path, text }) => !ownFile.test(path) && text.split('\n').length <= fewLines)
    .map(({ path }) => path)
  expect(small.length, small.join('\n')).toBeLessThanOrEqual(mostSmallFiles)
})
