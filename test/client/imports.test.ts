import { describe, expect, test } from 'vitest'
import { loadedBy } from '../support/project/loaded.ts'

/** Bytes of all sources that the client loads. The published package is smaller: it has the used parts, and no comments. */
const maxBytes = 170_000

describe('the client', () => {
  const { files, packages } = loadedBy('client/index.ts')

  test('loads its own folder, the flows as data and the terms', () => {
    const folders = new Set([...files.keys()].map(path => path.split('/')[0]))
    expect([...folders].toSorted()).toEqual(['client', 'contract', 'flows'])
    const contract = [...files.keys()].filter(path => /^contract\/(?!terms\/)/.test(path))
    expect(contract.toSorted()).toEqual(['contract/casing.ts'])
  })

  test("needs the caller's client of Temporal, and no other package", () => {
    expect([...packages].toSorted()).toEqual(['@temporalio/client', 'node:crypto', 'node:timers/promises'])
  })

  test('is small', () => {
    expect(Buffer.byteLength([...files.values()].join(''))).toBeLessThan(maxBytes)
  })
})
