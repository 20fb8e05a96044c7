import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { healthPaths } from '#contract'
import { toOutsideQueue } from '#contract/terms'
import { gatewayVariables } from '#gateway'
import { codecServerVariables } from '#gateway/codecServer'
import { codecVariables, readDataConverter } from '#platform/codec'
import { environmentVariable, logLevelVariable } from '#platform/settings'
import { telemetryVariables } from '#platform/telemetry'
import { readDatabaseUrl, readSettings as readService, serviceVariables } from '#service'
import { preparationVariables, readPromotion, workerVariables } from '#worker'
import { readCollection } from '../../../cli/audit/arguments.ts'
import { readSettings as readCodecServer } from '../../../gateway/codecServer/settings.ts'
import { readSettings as readGateway } from '../../../gateway/settings.ts'
import { storeUrlVariables } from '../../../service/settings.ts'
import { readPreparation, readSettings as readWorker } from '../../../worker/settings.ts'
import { newKey } from '../../support/codec/keys.ts'
import { readCommand } from '../../support/command/commandLine.ts'
import { contextFiles } from '../../support/compose/dockerIgnore.ts'
import { root } from '../../support/compose/resolved.ts'
import { findGoProgram } from '../../support/goProgram.ts'
import {
  type Built,
  build,
  filesOf,
  type KubernetesObject,
  manifestsCommand,
  manifestsFolder,
} from '../../support/kubernetes/manifests.ts'

/** Milliseconds; the first run on a machine builds the reader of manifests. */
const minutes = 20 * 60_000

/** Seconds in which each process stops. */
const stopTime = 10

const folders = ['site', 'worker', 'promotion', 'codec', 'controller', 'base', 'service'] as const

/** Folders without the objects of another one. */
const applied = folders.filter(folder => folder !== 'base' && folder !== 'service')

/** Our processes: declared settings, and the function that reads them and returns the port. */
const processes = {
  service: { declared: serviceVariables, read: (given: NodeJS.ProcessEnv) => readService(given).port },
  gateway: { declared: gatewayVariables, read: (given: NodeJS.ProcessEnv) => readGateway(given).port },
  preparation: {
    declared: preparationVariables,
    read: (given: NodeJS.ProcessEnv) => void readPreparation(given),
  },
  audit: {
    declared: { ...environmentVariable, ...storeUrlVariables, ...codecVariables, ...logLevelVariable },
    read(given: NodeJS.ProcessEnv) {
      readDatabaseUrl(given)
      readDataConverter(given)
      return undefined
    },
  },
  worker: { declared: workerVariables, read: (given: NodeJS.ProcessEnv) => readWorker(given).healthPort },
  promotion: { declared: workerVariables, read: (given: NodeJS.ProcessEnv) => void readPromotion(given) },
  codec: { declared: codecServerVariables, read: (given: NodeJS.ProcessEnv) => readCodecServer(given).port },
} as const
const ours = Object.keys(processes) as (keyof typeof processes)[]

const page = readFileSync(join(root, 'docs', 'how-to', 'run-on-kubernetes.md'), 'utf8')

let secrets: string
let command: string | undefined
let built: Readonly<Record<(typeof folders)[number], Built>> | undefined

beforeAll(async () => {
  secrets = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  await writeSecrets(secrets)
  command = await findGoProgram(manifestsCommand, line => console.error(line))
  if (command === undefined) return
  const all = folders.map(async folder => [folder, await build(command ?? '', join(manifestsFolder, folder))])
  built = Object.fromEntries(await Promise.all(all))
}, minutes)

afterAll(() => rm(secrets, { recursive: true, force: true }))

beforeEach(context =>
  context.skip(built === undefined, 'the reader of manifests is built with Go, which this machine lacks'),
)

/** Writes the files of the page's table. */
async function writeSecrets(folder: string): Promise<void> {
  const secret = () => randomBytes(24).toString('hex')
  const clientSecret = secret()
  const topology = readFileSync(join(root, 'deploy', 'docker', 'topology.example.yaml'), 'utf8')
  const files = {
    'database-url': 'postgres://lockerflow:a-password@db.example:5432/lockerflow',
    'store-keys': `2026-11:${randomBytes(32).toString('base64')}`,
    'hardware-key': secret(),
    'topology.yaml': topology.replace('the-same-as-LOCKERFLOW_CLIENT_SECRET', clientSecret),
    'client-secret': clientSecret,
    'callback-key': secret(),
    'codec-keys': newKey('2026-11'),
  }
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), `${text}\n`)))
}

function objects(): readonly KubernetesObject[] {
  return applied.flatMap(folder => built?.[folder].objects ?? [])
}

/** The workloads, by the name of their label. */
function workload(name: string) {
  const { metadata, spec } = objects().find(({ spec }) => spec?.template?.metadata.labels[nameLabel] === name) ?? {}
  const [container] = spec?.template?.spec.containers ?? []
  if (metadata === undefined || spec?.template === undefined || container === undefined)
    throw new Error(`no workload ${name}`)
  return { metadata, spec, labels: spec.template.metadata.labels, pod: spec.template.spec, container }
}

const nameLabel = 'app.kubernetes.io/name'
const versionLabel = 'app.kubernetes.io/version'

function settings(): Readonly<Record<string, string>> {
  return objects().find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'settings')?.data ?? {}
}

/** The variables of a process, with the secrets of this machine. */
function environmentOf(name: string): Record<string, string> {
  const { container, labels } = workload(name)
  const own = (container.env ?? []).map(({ name, value, valueFrom }) => {
    if (value !== undefined) return [name, value.replace(/^\/run\/secrets\/lockerflow/, secrets)]
    const [, label = ''] = /^metadata\.labels\['(.*)'\]$/.exec(valueFrom?.fieldRef.fieldPath ?? '') ?? []
    return [name, labels[label] ?? '']
  })
  return { ...settings(), ...Object.fromEntries(own) }
}

test.each(applied)('%s is valid, and its pods are restricted', folder => {
  expect(built?.[folder].faults).toEqual([])
  for (const { kind, metadata } of built?.[folder].objects ?? [])
    if (kind !== 'Namespace') expect(metadata.namespace).toBe('lockerflow')
})

test('the folders for all tenants name none', () => {
  const { tenants } = parse(readFileSync(join(root, 'deploy', 'docker', 'topology.example.yaml'), 'utf8'))
  const [{ name }] = tenants
  expect(JSON.stringify(built?.site.objects)).toContain(name)
  for (const folder of ['base', 'service'] as const) expect(JSON.stringify(built?.[folder].objects)).not.toContain(name)
})

test('the settings of all processes are settings of some of them', () => {
  const known = ours.flatMap(name => Object.keys(processes[name].declared))
  const others = [
    ...Object.keys(telemetryVariables),
    ...['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE'],
    // Part of the command of the audit log.
    'LOCKERFLOW_AUDIT_TENANT',
  ]
  expect(Object.keys(settings()).filter(name => ![...known, ...others].includes(name))).toEqual([])
})

describe.each(ours)('%s', name => {
  const { declared, read } = processes[name]

  test('gets settings that it declares', () => {
    const given = (workload(name).container.env ?? []).map(variable => variable.name)
    expect(given.filter(variable => !(variable.replace(/_FILE$/, '') in declared))).toEqual([])
  })

  test('has all settings of production', () => {
    expect(environmentOf(name).LOCKERFLOW_ENVIRONMENT).toBe('production')
    expect(() => read(environmentOf(name))).not.toThrow()
  })

  test('finds each secret at the path that its setting names', () => {
    const { pod, container } = workload(name)
    const named = (container.env ?? []).flatMap(
      ({ value = '' }) => /^\/run\/secrets\/lockerflow\/(.*)/.exec(value)?.[1] ?? [],
    )
    expect(filesOf(pod).map(({ path }) => path)).toEqual(named)
    for (const { path, secret, key } of filesOf(pod)) {
      expect(path).toBe(key)
      const [, files = ''] = new RegExp(`create secret generic ${secret} \\\\\\n(.*)\\n`).exec(page) ?? []
      expect(files.split(/\s+--from-file=/)).toContain(key)
    }
  })

  test('runs a file of the image, without variables of Services', () => {
    const { container, pod } = workload(name)
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(container.image).toBe(`lockerflow:${version}`)
    expect(container.command[0]).toBe('node')
    expect(contextFiles()).toContain(container.command[1])
    expect(pod.enableServiceLinks).toBe(false)
  })

  test('has time to stop after its last request', () => {
    const { container, pod } = workload(name)
    const pause = container.lifecycle?.preStop.sleep.seconds ?? 0
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(pause + stopTime)
  })

  test('answers its probes at the port that its setting names', () => {
    const port = read(environmentOf(name))
    const { livenessProbe, readinessProbe, ports = [] } = workload(name).container
    if (port === undefined) return expect({ livenessProbe, ports }).toEqual({ livenessProbe: undefined, ports: [] })
    const portNamed = (given?: string) => ports.find(port => port.name === given)?.containerPort
    expect(livenessProbe?.httpGet.path).toBe(healthPaths.live)
    expect(readinessProbe?.httpGet.path).toBe(healthPaths.ready)
    for (const probe of [livenessProbe, readinessProbe]) expect(portNamed(probe?.httpGet.port)).toBe(port)
    if (name === 'codec') return
    expect(portNamed('metrics')).toBe(Number(settings().LOCKERFLOW_METRICS_PORT))
  })
})

describe('selectors', () => {
  test('of deployments and budgets have the labels of their pods', () => {
    for (const { kind, metadata, spec } of objects().filter(({ spec }) => spec?.selector?.matchLabels)) {
      const name = spec.selector?.matchLabels?.[nameLabel] ?? ''
      const found = workload(name)
      expect({ kind, name: metadata.name }).toEqual({ kind, name: found.metadata.name })
      expect(found.labels).toMatchObject(spec.selector?.matchLabels ?? {})
    }
  })

  test('of Services lead to the port of their pods, at the address in the settings', () => {
    const services = objects().filter(({ kind }) => kind === 'Service')
    expect(services.map(({ metadata }) => metadata.name).sort()).toEqual(['codec', 'gateway', 'service'])
    for (const { metadata, spec } of services) {
      expect(spec.selector).toEqual({ [nameLabel]: metadata.name })
      const { container } = workload(metadata.name)
      const [{ port, targetPort } = {}] = spec.ports ?? []
      expect(container.ports?.find(({ name }) => name === targetPort)?.containerPort).toBe(port)
    }
    const { LOCKERFLOW_BASE_URL, LOCKERFLOW_AUTH_URL } = settings()
    expect(new Set([LOCKERFLOW_BASE_URL, LOCKERFLOW_AUTH_URL])).toEqual(new Set(['http://service:8080']))
  })

  test('of network policies name pods and ports that exist', () => {
    const policies = objects().filter(({ kind }) => kind === 'NetworkPolicy')
    const names = ['closed', 'http', 'metrics', 'to-stores', 'to-service', 'to-public', 'codec']
    expect(policies.map(({ metadata }) => metadata.name)).toEqual(names)
    expect(policies[0]?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
    const [{ values = [] } = {}] = policies[1]?.spec.podSelector?.matchExpressions ?? []
    expect([...values].sort()).toEqual(['gateway', 'service'])
    for (const { spec } of policies.filter(({ metadata }) => metadata.name !== 'codec'))
      for (const { port } of spec.ingress?.flatMap(({ ports }) => ports) ?? [])
        for (const name of port === 'http' ? values : ['service', 'gateway', 'worker'])
          expect(workload(name).container.ports?.map(({ name }) => name)).toContain(port)
  })
})

describe('egress', () => {
  const egressOf = (name: string) =>
    objects().find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)?.spec.egress ?? []
  const portsOf = (name: string) => egressOf(name).flatMap(({ ports = [] }) => ports.map(({ port }) => port))

  test('is open to names, PostgreSQL and Temporal for all pods', () => {
    const temporal = Number(settings().TEMPORAL_ADDRESS?.split(':')[1])
    expect(portsOf('to-stores')).toEqual([53, 53, 5432, temporal])
  })

  test('is open to the pods of the service at their port', () => {
    const [{ ports, to } = {}] = egressOf('to-service')
    expect(ports?.map(({ port }) => port)).toEqual(
      workload('service')
        .container.ports?.slice(0, 1)
        .map(p => p.containerPort),
    )
    expect(workload('service').labels).toMatchObject(to?.[0]?.podSelector?.matchLabels ?? {})
  })

  test('is open to public addresses over https only', () => {
    const [{ to: peers = [] } = {}] = egressOf('to-public')
    expect(portsOf('to-public')).toEqual([443])
    const closed = new BlockList()
    for (const { ipBlock } of peers)
      for (const range of ipBlock?.except ?? []) {
        const [address = '', bits = ''] = range.split('/')
        closed.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
      }
    const ours = ['10.1.2.3', '172.20.0.1', '192.168.1.1', '100.64.0.1', '169.254.169.254']
    expect(ours.filter(address => !closed.check(address))).toEqual([])
    expect(closed.check('fd00::1', 'ipv6')).toBe(true)
    expect(closed.check('198.51.100.1')).toBe(false)
  })
})

describe("Temporal's Worker Controller", () => {
  test('starts the pods of the folder worker, as builds of a deployment by its names', () => {
    const { metadata, spec } = objects().find(({ kind }) => kind === 'WorkerDeployment') ?? {}
    const [container] = spec?.template?.spec.containers ?? []
    const { readinessProbe: _, ...worker } = workload('worker').container
    const env = worker.env?.map(variable => {
      if (variable.name === 'LOCKERFLOW_DEPLOYMENT')
        return { ...variable, value: `${metadata?.namespace}/${metadata?.name}` }
      if (variable.name === 'LOCKERFLOW_BUILD_ID')
        return { ...variable, valueFrom: { fieldRef: { fieldPath: "metadata.labels['temporal.io/build-id']" } } }
      return variable
    })
    expect(container).toEqual({ ...worker, env })
    expect(spec?.template?.metadata.labels).toEqual({ [nameLabel]: 'worker' })
  })
})

describe('examples', () => {
  const example = (name: string) => parse(readFileSync(join(manifestsFolder, 'examples', name), 'utf8'))

  test('the monitor scrapes the pods that have a port of metrics', () => {
    const { spec } = example('podMonitor.yaml')
    const [{ values }] = spec.selector.matchExpressions
    const [{ port }] = spec.podMetricsEndpoints
    const scraped = ours.filter(name => workload(name).container.ports?.some(({ name }) => name === port))
    expect(values.toSorted()).toEqual(scraped.toSorted())
    expect(spec.jobLabel).toBe(nameLabel)
  })

  test('workers scale with the tasks of their build', () => {
    const { metadata, labels } = workload('worker')
    const { spec } = example('scaledObject.yaml')
    expect(spec.scaleTargetRef).toEqual({ name: metadata.name })
    const { taskQueue } = readWorker(environmentOf('worker'))
    const scaled = [
      { taskQueue, queueTypes: 'workflow,activity' },
      { taskQueue: toOutsideQueue(taskQueue), queueTypes: 'activity' },
    ]
    expect(spec.triggers.map((trigger: { readonly metadata: object }) => trigger.metadata)).toMatchObject(
      scaled.map(queue => ({
        ...queue,
        endpoint: settings().TEMPORAL_ADDRESS,
        namespace: settings().TEMPORAL_NAMESPACE,
        workerDeploymentName: environmentOf('worker').LOCKERFLOW_DEPLOYMENT,
        workerDeploymentBuildId: labels[versionLabel],
      })),
    )
  })
})

test('disruption budgets let a node drain evict pods that are not ready, for example while PostgreSQL is away', () => {
  const budgets = objects().filter(({ kind }) => kind === 'PodDisruptionBudget')
  expect(budgets.map(({ metadata }) => metadata.name).sort()).toEqual(['gateway', 'service', 'worker-0-1-0'])
  for (const { spec } of budgets)
    expect(spec).toMatchObject({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' })
})

test('the ingress has the addresses of the settings, and leads to Services', () => {
  const { spec } = objects().find(({ kind }) => kind === 'Ingress') ?? {}
  const found = spec?.rules?.map(({ host, http }) => [
    `https://${host}`,
    ...http.paths.map(({ path, backend }) => [path, backend.service.name, backend.service.port.name]),
  ])
  const { LOCKERFLOW_PUBLIC_URL, LOCKERFLOW_GATEWAY_URL } = settings()
  expect(found).toEqual([
    [LOCKERFLOW_PUBLIC_URL, ['/', 'service', 'http']],
    [LOCKERFLOW_GATEWAY_URL, ['/callbacks', 'gateway', 'http']],
  ])
})

describe('a build of the workers', () => {
  test('has its id in the label, the name, the image and the promotion', () => {
    const [worker, promotion] = ['worker', 'promotion'].map(workload)
    const version = worker?.labels[versionLabel] ?? ''
    expect(worker?.container.image).toBe(`lockerflow:${version}`)
    expect(worker?.metadata.name).toBe(`worker-${version.replaceAll('.', '-')}`)
    expect(worker?.spec.selector?.matchLabels?.[versionLabel]).toBe(version)
    expect(promotion?.metadata.name).toBe(`promotion-${version.replaceAll('.', '-')}`)
    for (const name of ['LOCKERFLOW_DEPLOYMENT', 'LOCKERFLOW_BUILD_ID']) {
      expect(environmentOf('promotion')[name]).toBe(environmentOf('worker')[name])
    }
    expect(environmentOf('worker').LOCKERFLOW_BUILD_ID).toBe(version)
  })

  test('is promoted by a verb of the command', async () => {
    const { verb } = await readCommand(...workload('promotion').container.command.slice(2))
    expect(verb.name).toBe('promote')
  })
})

test.each(['site', 'worker'])('the files of custom flows are added to %s by the patch of the page', async folder => {
  const [, patch = ''] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? []
  const copy = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  onTestFinished(() => rm(copy, { recursive: true, force: true }))
  await cp(manifestsFolder, copy, { recursive: true })
  await appendFile(join(copy, folder, 'kustomization.yaml'), patch)
  const { objects, faults } = await build(command ?? '', join(copy, folder))
  expect(faults).toEqual([])
  const patched = objects.filter(
    ({ kind, metadata }) => kind === 'Deployment' && /^(gateway|worker)/.test(metadata.name),
  )
  expect(patched).toHaveLength(1)
  for (const { spec } of patched) {
    const { containers: [container] = [], volumes = [] } = spec.template?.spec ?? {}
    expect(container?.env).toContainEqual({ name: 'LOCKERFLOW_FLOWS', value: '/flows/*.yaml' })
    const mounted = container?.volumeMounts?.find(({ mountPath }) => mountPath === '/flows')
    expect(volumes.map(({ name }) => name)).toContain(mounted?.name)
  }
})

test('the audit log copies the decisions of a tenant each hour', async () => {
  const words = workload('audit').container.command.slice(2)
  // Kubernetes replaces variables in a command.
  const replaced = words.map(word => word.replace(/\$\((\w+)\)/g, (_, name) => settings()[name] ?? ''))
  const { verb, ...values } = await readCommand(...replaced)
  expect({ name: verb.name, ...readCollection(values, 0) }).toMatchObject({
    name: 'audit collect',
    tenantId: 'acme',
    interval: 3_600_000,
  })
})
