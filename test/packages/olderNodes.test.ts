import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../project/sources.ts'
import { loadedBy } from '../support/project/loaded.ts'

/** Folders of the code in these packages. The bundles leave out what the doors of other folders load too. */
const bundled = /^(api|client|contract|flows|testing)\//

/** Sources of what older versions of Node load. */
const entries = [
  'client/index.ts',
  'packages/build/entries/api.ts',
  'packages/build/entries/contract.ts',
  'testing/connect.ts',
]

test('older Nodes load no syntax and no function that Node 20 lacks', async () => {
  const files = new Set(entries.flatMap(entry => [...loadedBy(entry).files.keys()]).filter(path => bundled.test(path)))
  const folder = join(root, '.lockerflow', `node20-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  try {
    const config = join(folder, 'tsconfig.json')
    const checked = join(folder, 'checked.ts')
    // The compiler must find this one: a check that accepts everything would be of no use.
    writeFileSync(checked, 'export const grouped = Object.groupBy([1], String)\n')
    // Node 20 has the texts of ES2024 already.
    const options = { target: 'es2023', lib: ['es2023', 'es2024.string', 'esnext.disposable'] }
    const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
    const all = { ...compilerOptions, ...options, paths: {}, typeRoots: [join(root, 'node_modules/@types')] }
    const checkedFiles = [checked, ...entries.map(entry => join(root, entry))]
    writeFileSync(config, JSON.stringify({ compilerOptions: all, files: checkedFiles }))
    const tsc = join(root, 'node_modules/.bin/tsc')
    const { stdout } = await promisify(execFile)(tsc, ['-p', config, '--pretty', 'false'], { cwd: root }).catch(
      (error: { stdout: string }) => error,
    )
    const found = stdout.trim().split('\n')
    // Other files are loaded as types only.
    const faults = found.filter(line => line.includes('checked.ts') || files.has(line.replace(/\(.*/, '')))
    expect(faults).toEqual([expect.stringMatching(/checked\.ts.*groupBy/)])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
