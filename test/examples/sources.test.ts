import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { expect, test } from 'vitest'
import { sourceOf } from '../project/sources.ts'
import { examples } from '../support/examples/languages.ts'

const sources = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter(
  file =>
    ['.py', '.go', '.ts', '.java'].includes(extname(file)) &&
    !file.includes(`flows${sep}`) &&
    !file.endsWith('.gen.go'),
)

const programs = sources.filter(file => extname(file) === '.ts')

test.each([...programs, join('testing', 'jest', 'overdue.test.js')])(
  '%s: an example imports packages and its own files',
  file => {
    const { imports, typeImports } = sourceOf(file, readFileSync(join(examples, file), 'utf8'))
    const others = [...imports, ...typeImports].filter(each => !/^(node:|@?[a-z]|\.\/)/.test(each ?? ''))
    expect(others).toEqual([])
  },
)

test('the repair shop is a project of its own, with the packages that it imports', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(examples, path), 'utf8'))
  const { dependencies, type } = read('repair-shop/package.json')
  expect(type).toBe('module')
  const { version } = read('../packages/lockerflow/package.json')
  const named = programs
    .filter(file => file.startsWith(`repair-shop${sep}`))
    .flatMap(file => {
      const { imports, typeImports } = sourceOf(file, readFileSync(join(examples, file), 'utf8'))
      return [...imports, ...typeImports].flatMap(each => (/^(node:|\.)/.test(each ?? '') ? [] : [each?.split('/')[0]]))
    })
  expect(Object.keys(dependencies)).toEqual([...new Set(named)])
  expect(dependencies).toEqual({ lockerflow: version })
})

test('there is an example in every language', () => {
  expect(new Set(sources.map(file => extname(file)))).toEqual(new Set(['.py', '.go', '.ts', '.java']))
})

test.each(['python', 'repair-shop/python', 'repair-workflow/python'])(
  'every Python package of %s is pinned to one version',
  folder => {
    const pins = readFileSync(join(examples, folder, 'requirements.txt'), 'utf8')
      .trimEnd()
      .split('\n')
    expect(pins).toContainEqual(expect.stringMatching(/^temporalio==/))
    expect(pins.filter(pin => !/^[\w-]+==\d[\w.]*$/.test(pin))).toEqual([])
  },
)
