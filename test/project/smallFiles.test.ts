import { expect, test } from 'vitest'
import { listFiles } from '../support/project/files.ts'
import { readText } from './language.ts'

/** A file with fewer lines is seldom worth opening. */
const fewLines = 30
const mostSmallFiles = 75

/** Operations and flows have a file each. A door has the names of its folder, and a program those of its parts. */
const ownFile = /(^|\/)operations\/|^flows\/|(^|\/)(index|main)\.ts$|^(test|examples)\//

test('few files are too small to be worth opening', () => {
  const small = listFiles('*.ts').filter(path => !ownFile.test(path) && readText(path).split('\n').length <= fewLines)
  expect(small.length, small.join('\n')).toBeLessThanOrEqual(mostSmallFiles)
})
