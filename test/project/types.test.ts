import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../support/release/typeCheck.ts'
import { root } from './sources.ts'

/** Milliseconds. The compiler reads the whole tree, for minutes on a busy machine. */
const timeout = 900_000

test.each(['tsconfig.json', 'workflows/tsconfig.json'])(
  'the compiler finds no error in %s',
  { timeout },
  async config => {
    // A repeated run checks only what has changed, and reports earlier errors again.
    const state = join(root, 'node_modules', '.cache', `${config.replace('/', '-')}.tsbuildinfo`)
    expect(await compile(config, '--incremental', '--tsBuildInfoFile', state)).toBe('')
  },
)
