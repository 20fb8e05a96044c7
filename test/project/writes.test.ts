import { expect, test } from 'vitest'
import { writesOf } from '../support/project/writes.ts'
import { readSources } from './sources.ts'

/** All flows of a worker share the modules of the bundle (worker/bundle.ts). */
const shared = ['workflows', 'flows', 'contract/terms']
  .flatMap(readSources)
  .filter(({ path }) => !path.startsWith('flows/check/'))

/** Frozen copies of equal values: nothing of a flow depends on whether one was kept. */
const keptCopies = ['workflows/planParts.ts: kept']

test('no module of the workflows has state that a flow writes, except for kept copies', () => {
  expect(shared.length).toBeGreaterThan(20)
  expect(shared.flatMap(({ path, text }) => writesOf(text).map(name => `${path}: ${name}`))).toEqual(keptCopies)
})

test.each([
  'let a = 0',
  'export let { a } = f()',
  'const a = []; function f() { a.push(1) }',
  'const a: Map<string, () => void> = new Map(); export const f = () => a.set("b", () => {})',
  'const a = new Set(["b"]); function f(c: string) { a.delete(c) }',
  'const a = { count: 0 }; function f() { a.count++ }',
  'const a = { b: { c: 1 } }; function f() { a.b.c = 2 }',
  'const a = { b: 1 }; function f() { delete a.b }',
  'function a() {} a.last = 1',
  'class B { static a = 0 }',
  'const a = /x/g',
  'import { a } from "./b.ts"; a.c = 1',
])('finds %s', text => expect(writesOf(text)).toEqual(['a']))

test.each(["const a = new Set(['b'])", 'function f() { let a = 0; a++; return a }', 'const a = /x/; a.test("")'])(
  'allows %s',
  text => expect(writesOf(text)).toEqual([]),
)
