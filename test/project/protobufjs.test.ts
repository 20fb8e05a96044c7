import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './sources.ts'

/** Folders of a package below a node_modules folder, however deep it is nested. */
function copiesOf(name: string, modules: string): string[] {
  return readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter(entry => entry.name === 'package.json' && entry.parentPath.endsWith(join('node_modules', name)))
    .filter(entry => JSON.parse(readFileSync(join(entry.parentPath, entry.name), 'utf8')).name === name)
    .map(entry => relative(modules, entry.parentPath))
}

// With two copies, one creates Temporal's classes and the other rejects them: "type must be a Type".
test("protobufjs is installed once, since Temporal's own conversion of histories fails with two copies", () => {
  expect(copiesOf('protobufjs', join(root, 'node_modules'))).toEqual(['protobufjs'])
})

test('a nested copy is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockerflow-copies-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const modules = join(folder, 'node_modules')
  for (const holder of ['.', '@temporalio/proto/node_modules']) {
    const copy = join(modules, holder, 'protobufjs')
    mkdirSync(copy, { recursive: true })
    writeFileSync(join(copy, 'package.json'), '{ "name": "protobufjs" }')
  }
  expect(copiesOf('protobufjs', modules)).toHaveLength(2)
})
