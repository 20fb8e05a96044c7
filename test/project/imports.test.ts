import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readDoors } from '../support/project/doors.ts'
import { cycleOf } from './cycles.ts'
import { ImportRules, type ImportTable } from './importRules.ts'
import { readSources, root, sourceOf } from './sources.ts'

/** The rooms in their order. A room imports only rooms before it, types included. Nothing imports the command. */
const rooms = [
  'contract',
  'platform',
  'service',
  'flows',
  'client',
  'activities',
  'workflows',
  'worker',
  'gateway',
  'testing',
  'cli',
]

const doors = readDoors()

/** The doors of a room and of the rooms before it. Workflow code runs in a sandbox, so other rooms name it by path only. */
function upTo(room: string): string[] {
  const allowed = rooms.slice(0, rooms.indexOf(room) + 1).filter(name => name !== 'workflows')
  return [...doors].flatMap(([door, file]) => (allowed.includes(file.split('/')[0] ?? '') ? [door] : []))
}

/** The imports that are allowed at run time. A part is a room, or a door inside a room that has a stricter row. */
const table: ImportTable = {
  'contract/terms': [],
  'contract/machines': ['#contract/terms', 'xstate', 'xstate/graph'],
  contract: ['#contract/terms', 'iso-3166/1-a2-to-1-n.js', 'zod', 'node:crypto'],
  'contract/client': ['#contract', '#contract/terms', 'undici', 'zod', 'node:*'],
  platform: [
    ...upTo('platform'),
    ...['@opentelemetry/api', '@opentelemetry/resources', '@opentelemetry/sdk-metrics', '@opentelemetry/sdk-node'],
    ...['@opentelemetry/sdk-trace', '@scalar/fastify-api-reference', '@temporalio/common', '@temporalio/proto'],
    ...['fastify', 'pg', 'pino', 'zod', 'node:*'],
  ],
  // Workflow code writes spans too.
  'platform/telemetry/traceContext': [],
  service: [
    ...upTo('service'),
    ...['@e965/xlsx', '@fastify/multipart', 'csv-parse', 'fastify', 'jose', 'kysely', 'kysely/migration', 'pg', 'pino'],
    ...['saxes', 'undici', 'yaml', 'zod', 'node:*'],
  ],
  // Workflow code and the client's package import the flows, without schemas and Node.
  flows: ['#contract/terms'],
  'flows/messages': [],
  'flows/pictureOfRun': [],
  'flows/versioning': ['#contract/terms', '#flows/kinds'],
  // Checks declarations before they run, in workers, clients and commands.
  'flows/check': [
    ...['#contract', '#contract/machines', '#contract/terms', '#flows', '#flows/declaration', '#flows/pictureOfRun'],
    ...['#flows/versioning', 'yaml', 'zod', 'node:*'],
  ],
  // A package of its own: no schemas, no machines, no SDK but the caller's client of Temporal.
  client: [
    ...['#client/cases', '#contract/casing', '#contract/terms', '#flows', '#flows/messages'],
    ...['@temporalio/client', 'node:crypto', 'node:timers/promises'],
  ],
  // Looks a case up; the activities of the sweep need no more of the client.
  'client/cases': ['#contract/casing', '#contract/terms', '#flows', '@temporalio/client'],
  // Temporal's own settings, for the processes that connect.
  'client/connection': ['#platform/addresses', '#platform/codec', '#platform/settings', '@temporalio/envconfig'],
  // The contract of the Nexus service, for callers of other namespaces, even in workflow code.
  'client/nexus': ['nexus-rpc'],
  activities: [
    ...upTo('activities'),
    ...['@temporalio/activity', '@temporalio/common', 'temporal-polyfill', 'undici', 'yaml', 'zod', 'node:*'],
  ],
  workflows: [
    ...['#contract/terms', '#flows', '#flows/messages', '#flows/pictureOfRun', '#flows/versioning'],
    ...['#platform/telemetry/traceContext', '@temporalio/workflow', '@temporalio/common'],
    // The workflows of a worker with the plugin, by an alias of the bundler.
    '__lockerflow_own_workflows',
  ],
  worker: [
    ...upTo('worker'),
    ...['@temporalio/client', '@temporalio/common', '@temporalio/nexus', '@temporalio/plugin', '@temporalio/proto'],
    ...['@temporalio/worker', 'nexus-rpc', 'pino', 'zod', 'node:*'],
  ],
  gateway: [
    ...upTo('gateway'),
    ...['@temporalio/client', '@temporalio/common', '@temporalio/proto', 'fastify', 'jose', 'pino', 'zod', 'node:*'],
  ],
  // For tests of integrators, the sandbox and the commands: the parts in one process, and people at the lockers.
  testing: [
    ...upTo('testing'),
    // Flows without Temporal.
    ...[
      '#workflows/flow',
      '@temporalio/activity',
      '@temporalio/client',
      '@temporalio/common',
      'pino',
      'undici',
      'zod',
      'node:*',
    ],
  ],
  cli: [
    ...upTo('cli'),
    ...['@clack/prompts', '@temporalio/client', '@temporalio/common', 'commander', 'pino', 'undici', 'yaml', 'node:*'],
  ],
}

/** The imports that are allowed for types only. */
const types: ImportTable = {
  'flows/messages': ['#flows', '@temporalio/common'],
  'flows/pictureOfRun': ['#flows'],
  'flows/versioning': ['#flows/declaration'],
  client: ['#contract', '#flows/declaration'],
  'client/nexus': ['#client', '#flows', '#flows/declaration'],
  workflows: ['#activities/interface'],
  testing: ['#workflows/runtime'],
  activities: ['@temporalio/client'],
  platform: ['@temporalio/client', '@temporalio/worker'],
}

/** Files that load modules of users, whose paths are settings or arguments. */
const loaders = ['flows/check/read/files.ts', 'worker/ownFiles.ts']

/** Folders without a door: they may import everything, and no other folder imports them. */
const free = ['test', 'bench', 'deploy', 'docs', 'examples', 'packages']

/** The check of a kind of step, which its folder contains. */
const members = new Map([[/^flows\/kinds\/[^/]+\/check\//, 'flows/check']])

const rules = new ImportRules({ table, types, doors, members })
const folders = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
  .map(entry => entry.name)
const files = folders.filter(folder => !free.includes(folder)).flatMap(readSources)

describe('the import table', () => {
  test('is kept by every source file', () => {
    expect(files.length).toBeGreaterThan(0)
    const computed = loaders.map(path => `${path} imports a computed specifier`)
    expect(rules.violations(files).toSorted()).toEqual(computed)
  })

  test('has a row for every file', () => {
    expect(files.filter(file => rules.partOf(file.path) === undefined).map(file => file.path)).toEqual([])
  })

  test('leads one way only', () => {
    expect(cycleOf(rules.tableGraph())).toBeUndefined()
  })

  test('has no door to a free folder', () => {
    expect([...doors.values()].filter(file => free.includes(file.split('/')[0] ?? ''))).toEqual([])
  })

  test('names only doors that package.json has', () => {
    const named = Object.values(table)
      .flat()
      .filter(entry => entry.startsWith('#'))
    expect(named.filter(door => !doors.has(door))).toEqual([])
  })
})

test('folders import each other in one direction only, types included', () => {
  expect(cycleOf(rules.folderGraph(files))).toBeUndefined()
})

test('files import each other in one direction only, types included', () => {
  expect(cycleOf(rules.fileGraph(files))).toBeUndefined()
})

test('the interpreter uses the SDK of workflows through its runtime only', () => {
  const users = files.filter(
    ({ path, imports }) => path.startsWith('workflows/') && imports.includes('@temporalio/workflow'),
  )
  // Tracing and versioning are not parts of the interpreter: the SDK loads them with the bundle.
  expect(users.map(({ path }) => path).toSorted()).toEqual([
    'workflows/messageHandlers.ts',
    'workflows/temporal.ts',
    'workflows/tracing.ts',
    'workflows/versioning.ts',
  ])
})

test('the interpreter knows lockers by their door only, except in some kinds of steps and in what shows them', () => {
  const users = [...rules.fileGraph(files)]
    .filter(([path, targets]) => !path.startsWith(lockers) && targets.some(isInnerFile))
    .map(([path]) => path)
  expect(users.toSorted()).toEqual([
    'workflows/kinds/book/perform.ts',
    'workflows/kinds/book/undo.ts',
    'workflows/kinds/call.ts',
    'workflows/kinds/wait.ts',
    // The release of a kept booking.
    'workflows/visibility/currentDetails.ts',
  ])
})

const lockers = 'workflows/lockers/'

function isInnerFile(path: string): boolean {
  return path.startsWith(lockers) && path !== `${lockers}index.ts`
}

test('everything but tests uses Temporal through its public packages only', () => {
  const inner = folders
    .filter(folder => folder !== 'test')
    .flatMap(readSources)
    .flatMap(({ path, imports, typeImports }) =>
      [...imports, ...typeImports]
        .filter(specifier => /^@temporalio\/[^/]+\//.test(specifier ?? ''))
        .map(specifier => `${path} imports ${specifier}`),
    )
  expect(inner).toEqual([])
})

test('the environment is read in the settings of a room, and in the environment file of a folder, only', () => {
  const readers = files.filter(file => file.readsEnvironment).map(file => file.path)
  expect(readers.filter(path => !/\/(environment|settings)\.ts$/.test(path))).toEqual([])
})

describe('the checker finds', () => {
  const present = [
    'contract/index.ts',
    'contract/terms/index.ts',
    'contract/terms/shipments.ts',
    'flows/messages.ts',
    'flows/index.ts',
  ]
  const others = [...present, 'workflows/flow.ts'].map(path => sourceOf(path, ''))

  test.each([
    ['a package that is not allowed', 'workflows/a.ts', "import { z } from 'zod'", 'zod, which workflows may not'],
    ['Node in a machine', 'contract/machines/a.ts', "import 'node:fs'", 'node:fs, which contract/machines may not'],
    ['more of Node than allowed', 'contract/a.ts', "import 'node:net'", 'node:net, which contract may not'],
    ['a part of a package that is not allowed', 'contract/machines/a.ts', "import 'xstate/dev'", 'xstate/dev, which'],
    ['a door that is not allowed', 'service/a.ts', "export { x } from '#worker'", '#worker, which service may not'],
    ['a type import', 'workflows/a.ts', "import type { A } from '#service'", 'types of #service, which workflows'],
    ['a type export', 'workflows/a.ts', "export type { B } from 'zod'", 'types of zod, which workflows may not'],
    [
      'a type expression',
      'contract/client/a.ts',
      "type A = import('#service').A",
      'types of #service, which contract/client may not',
    ],
    [
      'an import at run time of what is allowed as types',
      'workflows/a.ts',
      "import '#activities/interface'",
      'which workflows may not',
    ],
    [
      'an import while running',
      'contract/client/a.ts',
      "await import('#service')",
      '#service, which contract/client may not',
    ],
    [
      'an import with a mixed list',
      'contract/client/a.ts',
      "import { type A, b } from '#service'",
      '#service, which contract/client may not',
    ],
    [
      'all of another file exported',
      'contract/client/a.ts',
      "export * from '#service'",
      '#service, which contract/client may not',
    ],
    ['a computed import', 'contract/client/a.ts', 'await import(name)', 'a computed specifier'],
    [
      'a path that is not a door',
      'contract/client/a.ts',
      "import '#contract/states'",
      '#contract/states, which is not a door',
    ],
    [
      'another folder by a path',
      'service/a.ts',
      "import '../contract/index.ts'",
      'into another folder only through its door',
    ],
    ['a path past a door inside', 'contract/a.ts', "import './terms/shipments.ts'", 'past the door of contract/terms'],
    ['a way up from the terms', 'contract/terms/a.ts', "import '../index.ts'", 'which contract/terms may not'],
    [
      'the catalogue behind the messages',
      'flows/messages.ts',
      "import './index.ts'",
      '#flows, which flows/messages may not',
    ],
    ['a file that is not there', 'contract/client/a.ts', "import './gone.ts'", 'a file that does not exist'],
  ])('%s', (_, path, text, objection) => {
    const found = rules.violations([...others.filter(file => file.path !== path), sourceOf(path, text)])
    expect(found).toEqual([expect.stringContaining(objection)])
  })

  test.each([
    ['types that the table allows', 'workflows/a.ts', "import type { A } from '#activities/interface'"],
    ['what only looks like an import', 'workflows/a.ts', "// import 'zod'\nexport const text = `import 'zod'`"],
    ['a door inside of the folder', 'workflows/a.ts', "import '#flows/messages'\nimport '#contract/terms'"],
    ['a file of the folder', 'workflows/a.ts', "import './flow.ts'"],
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
    expect(sourceOf('contract/client/a.ts', text).readsEnvironment).toBe(reads)
  })

  test('a cycle of files', () => {
    const round = [
      sourceOf('contract/client/a.ts', "import './b.ts'"),
      sourceOf('contract/client/b.ts', "import './a.ts'"),
    ]
    expect(cycleOf(rules.fileGraph(round))).toEqual([
      'contract/client/a.ts',
      'contract/client/b.ts',
      'contract/client/a.ts',
    ])
  })

  test('a cycle of types', () => {
    const round = [
      sourceOf('contract/client/a.ts', "import type { B } from './b.ts'"),
      sourceOf('contract/client/b.ts', "export type A = import('./a.ts').A"),
    ]
    expect(cycleOf(rules.fileGraph(round))).toEqual([
      'contract/client/a.ts',
      'contract/client/b.ts',
      'contract/client/a.ts',
    ])
  })

  test('a cycle of folders without a cycle of files', () => {
    const round = [
      sourceOf('service/a/one.ts', "import '../b/one.ts'"),
      sourceOf('service/a/two.ts', ''),
      sourceOf('service/b/one.ts', ''),
      sourceOf('service/b/two.ts', "import '../a/two.ts'"),
    ]
    expect(cycleOf(rules.fileGraph(round))).toBeUndefined()
    expect(cycleOf(rules.folderGraph(round))).toEqual(['service/a', 'service/b', 'service/a'])
  })

  test('nothing wrong with a ground floor and a door beside a subfolder', () => {
    const layers = [
      sourceOf('service/index.ts', "import './a/one.ts'"),
      sourceOf('service/a/one.ts', "import '../ground.ts'"),
      sourceOf('service/ground.ts', ''),
    ]
    expect(cycleOf(rules.folderGraph(layers))).toBeUndefined()
  })
})
