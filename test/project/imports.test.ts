import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { cycleOf } from './cycles.ts'
import { readDoors } from './doors.ts'
import { ImportRules, type ImportTable } from './importRules.ts'
import { readSources, root, sourceOf } from './sources.ts'

/** What may import what at run time. A part is a folder, or a door inside of one that is held more strictly. */
const table: ImportTable = {
  'contract/terms': [],
  contract: ['#contract/terms', 'iso-3166/1-a2-to-1-n.js', 'zod', 'node:crypto'],
  // Addresses that somebody else named, before they are dialled.
  addresses: ['node:dns', 'node:dns/promises', 'node:net'],
  machines: ['#contract/terms', 'xstate'],
  service: [
    ...['#addresses', '#contract', '#contract/settings', '#contract/terms', '#machines'],
    ...['fastify', '@fastify/multipart', 'kysely', 'kysely/migration', 'pg', 'jose', 'pino', 'undici', 'yaml', 'zod'],
    ...['csv-parse', '@e965/xlsx', '@scalar/fastify-api-reference', 'node:*'],
  ],
  api: ['#contract', '#contract/terms', 'undici', 'zod', 'node:*'],
  // The plan of a flow reads the declarations and the machines, and writes what it took from them into the history.
  activities: [
    ...['#addresses', '#contract', '#contract/terms', '#machines', '#api', '#client', '#workflows/flows'],
    ...['@temporalio/activity', '@temporalio/common', 'undici', 'zod', 'node:*'],
  ],
  'workflows/flows': ['#contract/terms'],
  // Without the interpreter: clients load these.
  'workflows/messages': ['#contract/terms', '@temporalio/workflow'],
  workflows: ['#contract/terms', '#workflows/flows', '#workflows/messages', '@temporalio/workflow'],
  // The worker makes the activities over one API client; workflows it names by path.
  worker: [
    ...['#activities', '#addresses', '#api', '#contract', '#contract/settings', '#contract/terms'],
    ...['@temporalio/worker', '@temporalio/common', '@temporalio/envconfig', 'zod', 'node:*'],
  ],
  client: [
    ...['#contract', '#contract/terms', '#workflows/flows', '#workflows/messages'],
    ...['@temporalio/client', '@temporalio/common', 'node:*'],
  ],
  gateway: [
    ...['#contract', '#contract/settings', '#contract/terms', '#api', '#workflows/messages'],
    ...['@temporalio/client', '@temporalio/envconfig', 'fastify', 'pino', 'zod', 'node:*'],
  ],
  cli: [
    ...['#contract', '#contract/settings', '#contract/terms', '#machines', '#service', '#api'],
    ...['#workflows/flows', '#worker', '#client', '#gateway', '@temporalio/client', 'pino', 'undici', 'node:*'],
  ],
}

/** These may import everything; nobody imports them, for they have no door. */
const free = ['test', 'bench', 'examples', 'docs']

const doors = readDoors()
const rules = new ImportRules(table, doors)
const folders = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
  .map(entry => entry.name)
const files = folders.filter(folder => !free.includes(folder)).flatMap(readSources)

describe('the import table', () => {
  test('is kept by every source file', () => {
    expect(files.length).toBeGreaterThan(0)
    expect(rules.violations(files)).toEqual([])
  })

  test('has a row for every file', () => {
    expect(files.filter(file => rules.partOf(file.path) === undefined).map(file => file.path)).toEqual([])
  })

  test('leads one way only', () => {
    expect(cycleOf(rules.tableGraph())).toBeUndefined()
  })

  test('gives nobody a door to what is free', () => {
    expect([...doors.values()].filter(file => free.includes(file.split('/')[0] ?? ''))).toEqual([])
  })

  test('names only doors that package.json has', () => {
    const named = Object.values(table)
      .flat()
      .filter(entry => entry.startsWith('#'))
    expect(named.filter(door => !doors.has(door))).toEqual([])
  })
})

test('no folder loads itself by way of another', () => {
  expect(cycleOf(rules.partGraph(files))).toBeUndefined()
})

test('no file loads itself by way of another', () => {
  expect(cycleOf(rules.fileGraph(files))).toBeUndefined()
})

test('the environment is read in the environment file of a folder only', () => {
  const readers = files.filter(file => file.readsEnvironment).map(file => file.path)
  expect(readers.filter(path => !/^[^/]+\/environment\.ts$/.test(path))).toEqual([])
})

describe('the checker finds', () => {
  const present = ['contract/index.ts', 'contract/terms/index.ts', 'contract/terms/states.ts', 'workflows/messages.ts']
  const others = [...present, 'workflows/interpreter.ts'].map(path => sourceOf(path, ''))

  test.each([
    ['a package that is not allowed', 'workflows/a.ts', "import { z } from 'zod'", 'zod, which workflows may not'],
    ['Node in a machine', 'machines/a.ts', "import 'node:fs'", 'node:fs, which machines may not'],
    ['more of Node than allowed', 'contract/a.ts', "import 'node:net'", 'node:net, which contract may not'],
    [
      'a part of a package that is not allowed',
      'machines/a.ts',
      "import 'xstate/graph'",
      'xstate/graph, which machines',
    ],
    ['a door that is not allowed', 'service/a.ts', "export { x } from '#worker'", '#worker, which service may not'],
    ['an import while running', 'api/a.ts', "await import('#service')", '#service, which api may not'],
    ['an import with a mixed list', 'api/a.ts', "import { type A, b } from '#service'", '#service, which api may not'],
    ['all of another file exported', 'api/a.ts', "export * from '#service'", '#service, which api may not'],
    ['a computed import', 'api/a.ts', 'await import(name)', 'what cannot be read from its source'],
    ['what is no door', 'api/a.ts', "import '#contract/states'", '#contract/states, which is no door'],
    [
      'another folder by a path',
      'api/a.ts',
      "import '../contract/index.ts'",
      'into another folder only through its door',
    ],
    ['a path past a door inside', 'contract/a.ts', "import './terms/states.ts'", 'past the door of contract/terms'],
    ['a way up from the terms', 'contract/terms/a.ts', "import '../index.ts'", 'which contract/terms may not'],
    ['the interpreter behind the messages', 'workflows/messages.ts', "import './interpreter.ts'", 'past the door'],
    ['a file that is not there', 'api/a.ts', "import './gone.ts'", 'there is no such file'],
  ])('%s', (_, path, text, objection) => {
    const found = rules.violations([...others.filter(file => file.path !== path), sourceOf(path, text)])
    expect(found).toEqual([expect.stringContaining(objection)])
  })

  test.each([
    ['types only', 'workflows/a.ts', "import type { A } from '#service'\nexport type { B } from 'zod'"],
    ['what only looks like an import', 'workflows/a.ts', "// import 'zod'\nexport const text = `import 'zod'`"],
    ['a door inside of the folder', 'workflows/a.ts', "import './messages.ts'\nimport '#contract/terms'"],
    ['a file of the folder', 'workflows/a.ts', "import './interpreter.ts'"],
    ['all of Node', 'service/a.ts', "import 'node:timers/promises'"],
  ])('nothing wrong with %s', (_, path, text) => {
    expect(rules.violations([...others, sourceOf(path, text)])).toEqual([])
  })

  test.each([
    ['process.env.A', true],
    ["process['env']", true],
    ['globalThis.process.env', true],
    ['const { env } = process', true],
    ["import { env as settings } from 'node:process'", true],
    ['process.exit()', false],
    ['settings.env', false],
    ['// process.env', false],
  ])('the environment read by %s: %s', (text, reads) => {
    expect(sourceOf('api/a.ts', text).readsEnvironment).toBe(reads)
  })

  test('a cycle of files', () => {
    const round = [sourceOf('api/a.ts', "import './b.ts'"), sourceOf('api/b.ts', "import './a.ts'")]
    expect(cycleOf(rules.fileGraph(round))).toEqual(['api/a.ts', 'api/b.ts', 'api/a.ts'])
  })

  test('a cycle of folders that is none of files', () => {
    const round = [
      sourceOf('api/a.ts', "import '#contract'"),
      sourceOf('contract/b.ts', "import '#api'"),
      sourceOf('contract/index.ts', ''),
    ]
    expect(cycleOf(rules.fileGraph(round))).toBeUndefined()
    expect(cycleOf(rules.partGraph(round))).toEqual(['api', 'contract', 'api'])
  })
})
