import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { root } from '../project/sources.ts'
import { findPython } from '../support/setup/python.ts'

/** Validators in other languages compile the patterns of published documents with the regular expressions of their language. */
const run = promisify(execFile)
const python = await findPython()

const folder = join(root, 'docs/reference')
const documents = readdirSync(folder).filter(file => file.endsWith('.json'))
const schemas = documents.filter(file => file.endsWith('.schema.json'))

const compile = `
import json, re, sys
for pattern in json.loads(sys.argv[1]):
    re.compile(pattern)
`

test('there are documents of both kinds', () => {
  expect(schemas).not.toEqual([])
  expect(documents.length).toBeGreaterThan(schemas.length)
})

describe.skipIf(python === undefined)('Python compiles each pattern of', () => {
  test.each(documents)('%s', async file => {
    const patterns = patternsOf(file)
    expect(patterns.length).toBeGreaterThan(0)
    await run(python?.command ?? '', ['-c', compile, JSON.stringify(patterns)])
  })
})

describe('no pattern has what RE2, the engine of Go, lacks:', () => {
  test.each(documents)('%s', file => {
    // Go's library for OpenAPI, kin-openapi, translates \u before upper-case digits.
    const escapes = schemas.includes(file) ? /\\[pPu]/ : /\\(?:[pP]|u(?![0-9A-F]{4}))/
    expect(patternsOf(file).filter(pattern => /\(\?[=!<]/.test(pattern) || escapes.test(pattern))).toEqual([])
  })
})

function patternsOf(file: string): string[] {
  const found = new Set<string>()
  JSON.parse(readFileSync(join(folder, file), 'utf8'), (key, value) => {
    if (key === 'pattern' && typeof value === 'string') found.add(value)
    return value
  })
  return [...found]
}
