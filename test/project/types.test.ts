import { expect, test } from 'vitest'
import { compile } from '../support/release/typeCheck.ts'

test.each(['tsconfig.json', 'workflows/tsconfig.json'])('the compiler finds no error in %s', async config => {
  expect(await compile(config)).toBe('')
})
