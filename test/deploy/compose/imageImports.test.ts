import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { root, type SourceFile, sourceOf } from '../../project/sources.ts'
import { contextFiles } from '../../support/compose/dockerIgnore.ts'

const { dependencies, imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const files = contextFiles()
/** The bundler of workflows puts another module in its place. */
const replaced = '__lockerflow_own_workflows'

/** The file of the project that an import loads, or the name of a package. */
function targetOf({ path }: SourceFile, specifier: string): string {
  if (specifier.startsWith('#')) return posix.normalize(imports[specifier])
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

test('the image contains every file and package that its files import', () => {
  const present = new Set([...files, ...Object.keys(dependencies), ...builtinModules, replaced])
  const sources = files
    .filter(path => path.endsWith('.ts') || path.endsWith('.mjs'))
    .map(path => sourceOf(path, readFileSync(join(root, path), 'utf8')))
  const missing = sources.flatMap(source =>
    source.imports
      .filter(specifier => specifier !== undefined && !specifier.startsWith('node:'))
      .filter(specifier => !present.has(targetOf(source, String(specifier))))
      .map(specifier => `${source.path} imports ${specifier}`),
  )
  expect(missing).toEqual([])
  expect(sources.flatMap(source => source.imports).length).toBeGreaterThan(1_000)
})
