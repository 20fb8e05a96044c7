import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { root, sourceOf } from '../project/sources.ts'
import { readDoors } from '../support/project/doors.ts'

const doors = readDoors()

/** Bytes of all sources that the client loads. The published package is smaller: it has the used parts, and no comments. */
const maxBytes = 165_000

/** Every file that the client loads, and the packages that these import. */
function loaded(entry: string): { files: Map<string, string>; packages: Set<string> } {
  const files = new Map<string, string>()
  const packages = new Set<string>()
  const load = (path: string) => {
    if (files.has(path)) return
    const text = readFileSync(join(root, path), 'utf8')
    files.set(path, text)
    for (const specifier of sourceOf(path, text).imports) {
      if (specifier === undefined) throw new Error(`${path} has a computed import`)
      const door = doors.get(specifier)
      if (specifier.startsWith('.')) load(posix.join(posix.dirname(path), specifier))
      else if (door !== undefined) load(door)
      else packages.add(specifier)
    }
  }
  load(entry)
  return { files, packages }
}

describe('the client', () => {
  const { files, packages } = loaded('client/index.ts')

  test('loads its own folder, the flows as data and the terms', () => {
    const folders = new Set([...files.keys()].map(path => path.split('/')[0]))
    expect([...folders].toSorted()).toEqual(['client', 'contract', 'flows'])
    const contract = [...files.keys()].filter(path => /^contract\/(?!terms\/)/.test(path))
    expect(contract.toSorted()).toEqual(['contract/casing.ts', 'contract/request.ts'])
  })

  test("needs the caller's client of Temporal, and no other package", () => {
    expect([...packages].toSorted()).toEqual(['@temporalio/client', 'node:crypto', 'node:timers/promises'])
  })

  test('is small', () => {
    expect(Buffer.byteLength([...files.values()].join(''))).toBeLessThan(maxBytes)
  })

  test('uses no syntax and no function that Node 20 lacks', { timeout: 120_000 }, async () => {
    const folder = join(root, '.lockerflow', `node20-${process.pid}`)
    mkdirSync(folder, { recursive: true })
    try {
      const config = join(folder, 'tsconfig.json')
      const checked = join(folder, 'checked.ts')
      // The compiler must find this one: a check that accepts everything would be of no use.
      writeFileSync(checked, 'export const grouped = Object.groupBy([1], String)\n')
      // Node 20 has the texts of ES2024 already.
      const options = { target: 'es2023', lib: ['es2023', 'es2024.string'] }
      const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
      const all = { ...compilerOptions, ...options, paths: {}, typeRoots: [join(root, 'node_modules/@types')] }
      writeFileSync(
        config,
        JSON.stringify({ compilerOptions: all, files: [checked, join(root, 'client', 'index.ts')] }),
      )
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
})
