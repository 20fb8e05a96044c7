import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readDoors } from '../support/project/doors.ts'
import { readSources, root, type SourceFile, sourceOf } from './sources.ts'

/** Folders whose files are started and not imported. */
const without = ['test', 'bench', 'deploy', 'docs', 'examples', 'node_modules', 'packages']

/** A room has one door. `platform` has one for each of its parts. */
const folders = [...foldersIn('.'), ...foldersIn('platform')].filter(
  folder => folder !== 'platform' && readSources(folder).length > 0,
)

function foldersIn(parent: string): string[] {
  return readdirSync(join(root, parent), { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && !without.includes(entry.name))
    .map(entry => posix.join(parent, entry.name))
}

/** Temporal runs the default export of a bundle for every workflow type without an export of its own. */
const withDefault = ['workflows/index.ts']

/** One sentence for each fault of a door. */
function faultsOf(door: SourceFile): string[] {
  return [
    ...(door.exportsDefault && !withDefault.includes(door.path) ? ['has a default export'] : []),
    ...(door.exportsUnnamed ? ['exports without names'] : []),
  ]
}

describe('every folder with sources has a door', () => {
  test.each(folders)('%s/index.ts', folder => {
    expect(existsSync(join(root, folder, 'index.ts'))).toBe(true)
  })
})

describe('a door has named exports', () => {
  const files = folders.flatMap(readSources).filter(file => file.path.endsWith('index.ts'))
  const declared = new Set(readDoors().values())

  test.each(files.filter(file => declared.has(file.path)))('$path', door => {
    expect(faultsOf(door)).toEqual([])
  })
})

test.each([
  ['a default export', 'export default 1\n', 'has a default export'],
  ['a renamed default export', 'const a = 1\nexport { a as default }\n', 'has a default export'],
  ['an export of everything', "export * from './a.ts'\n", 'exports without names'],
])('%s is found', (_, text, fault) => {
  expect(faultsOf(sourceOf('contract/client/index.ts', text))).toEqual([expect.stringContaining(fault)])
})

test('a good door has no faults', () => {
  const text = "export { a } from './a.ts'\nexport type { B } from './b.ts'\nexport * as c from './c.ts'\n"
  expect(faultsOf(sourceOf('contract/client/index.ts', text))).toEqual([])
})
