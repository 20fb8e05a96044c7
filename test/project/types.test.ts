import { expect, test } from 'vitest'
import { compile } from '../support/release/typeCheck.ts'

/** Milliseconds. The compiler reads the whole tree, for minutes on a busy machine. */
const timeout = 900_000

test.each(['tsconfig.json', 'workflows/tsconfig.json'])(
  'the compiler finds no error in %s',
  { timeout },
  async config => {
    expect(await compile(config)).toBe('')
  },
)
