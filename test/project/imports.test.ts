import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readDoors } from '../support/project/doors.ts'
import { cycleOf } from './cycles.ts'
import { ImportRules, type ImportTable } from './importRules.ts'
import { readSources, root, sourceOf } from './sources.ts'

/** The imports that are allowed at run time. A part is a folder, or a door inside a folder that has a stricter row. */
const table: ImportTable = {
  'contract/terms': [],
  contract: ['#contract/terms', 'iso-3166/1-a2-to-1-n.js', 'zod', 'node:crypto'],
  // Reads secrets from files, and compares addresses with the environment.
  'platform/settings': [
    '#platform/addresses',
    '#contract',
    '#contract/terms',
    'zod',
    'node:crypto',
    'node:fs',
    'node:net',
    'node:path',
    'node:url',
  ],
  // Checks addresses from requests before they are dialled.
  addresses: ['node:dns', 'node:dns/promises', 'node:net'],
  // The log of a process, and the bound on its lines.
  logs: ['node:fs', 'pino'],
  // The reference page, and errors and access tokens of the listeners of service, gateway and codec server.
  http: ['#contract', '#contract/terms', '#platform/logs', '@scalar/fastify-api-reference', 'fastify', 'jose', 'pino', 'node:*'],
  // Loads OpenTelemetry while running, and only if it is on.
  telemetry: [
    ...['#platform/settings', '#platform/logs', 'zod'],
    ...['@opentelemetry/api', '@opentelemetry/resources', '@opentelemetry/sdk-metrics', '@opentelemetry/sdk-node'],
    ...['@opentelemetry/sdk-trace', 'node:async_hooks', 'node:crypto'],
  ],
  // The trace context in Temporal's headers.
  'telemetry/temporal': ['#flows', '#platform/telemetry', '@temporalio/common'],
  // Registers the metrics of a process whose metrics are on.
  metrics: ['@opentelemetry/api'],
  machines: ['#contract/terms', 'xstate', 'xstate/graph'],
  // Encrypts payloads, for every process that connects to Temporal and for the starters of other services.
  codec: ['#platform/settings', '#contract/terms', '@temporalio/common', '@temporalio/proto', 'pg', 'zod', 'node:*'],
  // The process that decodes for people.
  codecServer: [
    ...['#client/connection', '#platform/codec', '#contract', '#platform/settings', '#platform/http', '#platform/logs'],
    ...['@temporalio/common', '@temporalio/proto', 'fastify', 'jose', 'pino', 'zod', 'node:*'],
  ],
  service: [
    ...[
      '#platform/addresses',
      '#contract',
      '#platform/settings',
      '#contract/suggestion',
      '#contract/terms',
      '#platform/logs',
      '#contract/machines',
      '#platform/metrics',
      '#platform/telemetry',
    ],
    ...['fastify', '@fastify/multipart', 'kysely', 'kysely/migration', 'pg', 'jose', 'pino', 'undici', 'yaml', 'zod'],
    ...['#platform/http', 'csv-parse', 'saxes', '@e965/xlsx', 'node:*'],
  ],
  // Working hours, holidays and local times. No workflow may import it: `Intl` would break replays.
  calendars: ['#contract/terms', 'temporal-polyfill', 'yaml', 'zod', 'node:fs'],
  api: ['#contract', '#contract/terms', '#platform/telemetry', 'undici', 'zod', 'node:*'],
  // The plan of a flow reads the declarations and the machines. The history then holds what the plan took from them.
  activities: [
    ...['#platform/addresses', '#activities/calendars', '#contract', '#contract/terms', '#contract/machines', '#contract/client', '#client', '#client/cases'],
    ...['#flows'],
    ...['#flows/declaration', '#platform/telemetry'],
    ...['@temporalio/activity', '@temporalio/common', 'undici', 'zod', 'node:*'],
  ],
  flows: ['#contract/terms'],
  // Checks declarations before they run, in workers, clients and commands.
  declarations: [
    ...['#contract', '#contract/terms', '#flows', '#flows/declaration', '#flows/pictureOfRun', '#flows/versioning'],
    ...['#contract/machines', 'yaml', 'zod', 'node:*'],
  ],
  // Values for the placeholders of a request.
  'testing/cases/run/request': ['#contract', '#contract/terms', '#flows/declaration'],
  // Test cases in files, and their runs on the simulator and on real parts.
  cases: [
    ...['#testing/cases/request', '#contract', '#contract/terms', '#flows/check', '#flows', '#flows/declaration'],
    ...['zod', 'node:*'],
  ],
  'testing/cases/simulated': ['#activities/calendars', '#testing/cases', '#flows/check', '#flows', '#testing/simulator', 'node:path'],
  // Cases on real parts.
  'testing/cases/real': [
    ...['#contract/client', '#activities/calendars', '#testing/cases', '#client', '#client/start', '#contract', '#contract/terms', '#flows/check'],
    ...['#flows', '#flows/messages', '#gateway', '#gateway/message', '#platform/logs'],
    ...['#service', '#worker', '@temporalio/activity', '@temporalio/client', '@temporalio/common', 'node:*'],
  ],
  // The contract of the Nexus service, for callers of other namespaces, also in workflow code.
  nexus: ['nexus-rpc'],
  // The handlers of the Nexus service use the client and connection of the worker.
  'worker/nexus': [
    ...['#client', '#client/cases', '#client/start', '#contract/terms', '#flows', '#client/nexus'],
    ...['@temporalio/client', '@temporalio/common', '@temporalio/nexus', 'nexus-rpc'],
  ],
  // Clients load the messages without the workflows and their SDK.
  'flows/messages': [],
  // Clients get the picture of a run, and do not make it.
  'flows/pictureOfRun': [],
  // Clients do not decide which build a flow runs on.
  'flows/versioning': ['#contract/terms'],
  workflows: [
    ...['#contract/terms', '#flows', '#flows/messages', '#flows/pictureOfRun', '#flows/versioning'],
    ...['@temporalio/workflow', '@temporalio/common'],
    // Drops stacks of open promises. No door of the SDK exports it.
    '@temporalio/workflow/lib/stack-helpers.js',
    // The payload converter of the worker, which decodes raw values. No door of the SDK exports it either.
    '@temporalio/workflow/lib/global-attributes.js',
    // The workflows of a worker with the plugin, by an alias of the bundler.
    '__lockerflow_own_workflows',
  ],
  // The worker creates the activities over one API client. It names the workflows by path only.
  worker: [
    ...[
      '#activities',
      '#platform/addresses',
      '#contract/client',
      '#activities/calendars',
      '#client/connection',
      '#platform/codec',
      '#contract',
      '#platform/settings',
      '#contract/terms',
      '#flows/check',
      '#platform/logs',
      '#worker/nexus',
      '#platform/telemetry',
      '#platform/telemetry/temporal',
    ],
    ...['#flows', '#flows/declaration', '#flows/versioning'],
    ...['@temporalio/common', '@temporalio/plugin', '@temporalio/proto'],
    ...['@temporalio/worker', 'pino', 'zod', 'node:*'],
  ],
  // Looks a case up; the activities of the sweep need no more of the client.
  'client/cases': ['#contract/casing', '#contract/terms', '#flows', '@temporalio/client'],
  // Temporal's own settings, for the processes that connect.
  'client/connection': ['#platform/addresses', '#platform/codec', '#platform/settings', '@temporalio/envconfig'],
  // A package of its own: no schemas, no machines, no SDK but the caller's client of Temporal.
  client: [
    ...['#client/cases', '#contract/casing', '#contract/terms', '#flows', '#flows/messages'],
    ...['@temporalio/client', 'node:crypto', 'node:timers/promises'],
  ],
  gateway: [
    // Callers start flows by HTTP, with tokens of any issuer.
    ...['#client', '#client/cases', '#contract/openapi', '#flows/check', '#flows/declaration', '#platform/http', 'jose'],
    ...[
      '#client/connection',
      '#platform/codec',
      '#contract',
      '#platform/settings',
      '#contract/terms',
      '#contract/client',
      '#flows',
      '#flows/messages',
      '#platform/logs',
      '#platform/metrics',
      '#platform/telemetry',
      '#platform/telemetry/temporal',
    ],
    ...['@temporalio/client', '@temporalio/common', 'fastify', 'pino', 'zod', 'node:*'],
  ],
  // Flows without Temporal: the engine, the activities and the service in one process.
  simulator: [
    ...[
      '#activities',
      '#contract/client',
      '#activities/calendars',
      '#testing/cases/request',
      '#contract',
      '#contract/terms',
      '#flows/check',
      '#flows',
      '#flows/declaration',
    ],
    ...['#gateway/message', '#service', '#workflows/flow', '@temporalio/activity', '@temporalio/common', 'node:*'],
  ],
  // The simulator reads the doors of a topology file.
  hardware: [
    '#contract',
    '#platform/settings',
    '#platform/http',
    '#platform/logs',
    '#service',
    '#service/environment',
    'fastify',
    'pino',
    'undici',
    'zod',
    'node:*',
  ],
  // Builds the published packages.
  release: [
    ...['#testing/cases/simulated', '#testing/simulator'],
    ...[
      '#contract/client',
      '#platform/codec',
      '#contract',
      '#contract/terms',
      '#flows/check',
      '#flows',
      '#flows/declaration',
      '#gateway',
      '#service',
      '#platform/telemetry',
      '#platform/telemetry/temporal',
    ],
    ...['#worker', 'rolldown', 'rolldown-plugin-dts', 'zod', 'node:*'],
  ],
  // The people of the sandbox, for programs that start nothing.
  'cli/people': ['#contract/client', '#flows'],
  'testing/story': ['#contract/client', '#testing/story/people', 'node:timers/promises'],
  // For the tests of integrators. Its folder of embedded parts alone loads the service and the worker, while running.
  testing: [
    ...['#contract/client', '#activities/calendars', '#cli', '#testing/story/people', '#testing/story', '#client', '#contract'],
    ...[
      '#contract/terms',
      '#flows',
      '#flows/declaration',
      '#flows/messages',
      '#service',
      '#worker',
      '@temporalio/client',
      'node:*',
    ],
  ],
  cli: [
    ...['#platform/addresses', '#activities/calendars', '#testing/story/people', '#testing/story', '#flows/messages', '#flows/pictureOfRun'],
    ...['#flows/versioning'],
    ...['#platform/codec', '#gateway/codecServer', '#contract', '#platform/settings', '#contract/terms'],
    ...['#contract/machines', '#service', '#contract/client', '#platform/telemetry', '#platform/telemetry/temporal'],
    ...[
      '#testing/cases',
      '#testing/cases/real',
      '#testing/cases/simulated',
      '#testing/simulator',
      '#flows/check',
      '#flows',
      '#flows/declaration',
      '#platform/logs',
      '#platform/metrics',
      '#worker',
      '#client',
      // Checks a condition before a verb connects.
      '#client/where',
      '#gateway',
      '#service/adapter',
      // Settings of the processes, for verbs that start none of them.
      ...[
        '#gateway/codecServer/environment',
        '#gateway/processSettings',
        '#gateway/pollers',
        '#service/adapter/environment',
        '#service/environment',
        '#worker/deployment',
        '#worker/fromEnvironment',
      ],
      // Programs, each loaded by its verb.
      ...['#service/process', '#gateway/process', '#worker/process', '#worker/promotion', '#gateway/codecServer/process'],
      ...['#service/adapter/process', 'commander'],
      '#client/nexus',
      ...['#client/connection', '#flows/messages', '@clack/prompts', 'yaml'],
      '@temporalio/client',
      '@temporalio/common',
      'pino',
      'undici',
      'node:*',
    ],
    // The page of the flows names the shipments that clean-up cancels.
    '#activities',
  ],
}

/** The imports that are allowed for types only. */
const types: ImportTable = {
  'flows/messages': ['#flows', '@temporalio/common'],
  'flows/pictureOfRun': ['#flows'],
  'flows/versioning': ['#flows/declaration'],
  'cli/people': ['#contract/terms'],
  'testing/story': ['#client', '#contract', '#contract/terms'],
  client: ['#contract', '#flows/declaration'],
  nexus: ['#client', '#flows', '#flows/declaration'],
  'worker/nexus': ['#flows/declaration'],
  workflows: ['#activities/interface'],
  simulator: ['#workflows/runtime'],
  activities: ['@temporalio/client'],
  'telemetry/temporal': ['@temporalio/client', '@temporalio/worker'],
}

/** Files that load modules of users, whose paths are settings or arguments. */
const loaders = ['flows/check/read/files.ts', 'worker/ownFiles.ts']

/** Folders without a door: they may import everything, and no other folder imports them. */
const free = ['test', 'bench', 'examples', 'docs']

const doors = readDoors()
const rules = new ImportRules({ table, types, doors })
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
  // Tracing and versioning are not parts of the interpreter: the SDK loads them with the bundle. Raw values come before it.
  expect(users.map(({ path }) => path).toSorted()).toEqual([
    'workflows/messageHandlers.ts',
    'workflows/rawValues.ts',
    'workflows/temporal.ts',
    'workflows/tracing.ts',
    'workflows/versioning.ts',
  ])
})

test('the environment is read in the environment file of a folder only', () => {
  const readers = files.filter(file => file.readsEnvironment).map(file => file.path)
  expect(readers.filter(path => !/^[^/]+\/environment\.ts$/.test(path))).toEqual([])
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
    ['Node in a machine', 'machines/a.ts', "import 'node:fs'", 'node:fs, which machines may not'],
    ['more of Node than allowed', 'contract/a.ts', "import 'node:net'", 'node:net, which contract may not'],
    ['a part of a package that is not allowed', 'machines/a.ts', "import 'xstate/dev'", 'xstate/dev, which machines'],
    ['a door that is not allowed', 'service/a.ts', "export { x } from '#worker'", '#worker, which service may not'],
    ['a type import', 'workflows/a.ts', "import type { A } from '#service'", 'types of #service, which workflows'],
    ['a type export', 'workflows/a.ts', "export type { B } from 'zod'", 'types of zod, which workflows may not'],
    ['a type expression', 'api/a.ts', "type A = import('#service').A", 'types of #service, which api may not'],
    [
      'an import at run time of what is allowed as types',
      'workflows/a.ts',
      "import '#activities/interface'",
      'which workflows may not',
    ],
    ['an import while running', 'api/a.ts', "await import('#service')", '#service, which api may not'],
    ['an import with a mixed list', 'api/a.ts', "import { type A, b } from '#service'", '#service, which api may not'],
    ['all of another file exported', 'api/a.ts', "export * from '#service'", '#service, which api may not'],
    ['a computed import', 'api/a.ts', 'await import(name)', 'a computed specifier'],
    ['a path that is not a door', 'api/a.ts', "import '#contract/states'", '#contract/states, which is not a door'],
    [
      'another folder by a path',
      'api/a.ts',
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
    ['a file that is not there', 'api/a.ts', "import './gone.ts'", 'a file that does not exist'],
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
    expect(sourceOf('api/a.ts', text).readsEnvironment).toBe(reads)
  })

  test('a cycle of files', () => {
    const round = [sourceOf('api/a.ts', "import './b.ts'"), sourceOf('api/b.ts', "import './a.ts'")]
    expect(cycleOf(rules.fileGraph(round))).toEqual(['api/a.ts', 'api/b.ts', 'api/a.ts'])
  })

  test('a cycle of types', () => {
    const round = [
      sourceOf('api/a.ts', "import type { B } from './b.ts'"),
      sourceOf('api/b.ts', "export type A = import('./a.ts').A"),
    ]
    expect(cycleOf(rules.fileGraph(round))).toEqual(['api/a.ts', 'api/b.ts', 'api/a.ts'])
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
