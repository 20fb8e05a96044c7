import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../project/sources.ts'

/** The doors of package.json: each import specifier with its file. */
export function readDoors(): ReadonlyMap<string, string> {
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    imports: Record<string, string>
  }
  return new Map(Object.entries(imports).map(([door, file]) => [door, file.replace('./', '')]))
}
