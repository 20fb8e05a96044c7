import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../project/sources.ts'

/** The test files that name each rule of the specification in a title, by its id. */
export function readMentions(): Map<string, string[]> {
  const files = globSync('test/**/*.test.ts', { cwd: root }).toSorted()
  const named = files.flatMap(file => {
    const ids = readFileSync(join(root, file), 'utf8').match(/\bSPEC-\d+\b/g)
    return [...new Set(ids)].map(id => ({ id, file }))
  })
  return new Map([...Map.groupBy(named, ({ id }) => id)].map(([id, of]) => [id, of.map(({ file }) => file)]))
}
