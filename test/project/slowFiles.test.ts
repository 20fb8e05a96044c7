import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { slowFiles } from '../support/setup/slowFiles.ts'
import { root } from './sources.ts'

// A renamed file would start late again, which no other test shows.
test.each(slowFiles)('%s, which starts first, exists', path => {
  expect(existsSync(join(root, path))).toBe(true)
})
