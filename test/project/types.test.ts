import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './sources.ts'

test.each(['tsconfig.json', 'workflows/tsconfig.json'])(
  'the compiler finds no error in %s',
  async config => {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const found = await new Promise(resolve => {
      execFile(process.execPath, [tsc, '-p', config, '--pretty', 'false'], { cwd: root }, (_, stdout) =>
        resolve(stdout),
      )
    })
    expect(found).toBe('')
  },
  180_000,
)
