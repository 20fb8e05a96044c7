import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { InterceptingCall } from '@grpc/grpc-js'
import { Client, Connection } from '@temporalio/client'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { decisionPath, readDecisionLink } from '#contract'
import { toWorkflowId } from '#flows'
import { openAuditLog } from '#service'
import { readDecisions, type SeenHistories } from '../../cli/audit/decisions.ts'
import { type FlowApiSettings, startFlowApi } from '../../gateway/flowApi/index.ts'
import { readLateness } from '../../service/audit/index.ts'
import { openStore } from '../../service/store/index.ts'
import { readBlocks } from '../docs/blocks.ts'
import { runBlock } from '../docs/commands.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import { converterOf, newKey } from '../support/codec/keys.ts'
import { runVerb } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { startIssuer } from '../support/flowApi/issuer.ts'
import { callsOf } from '../support/flowApi/useFlowApi.ts'
import { book } from '../support/flows/booking.ts'
import { noticeKey, noticesOf } from '../support/flows/notifications.ts'
import { startReceiver } from '../support/servers/callbackReceiver.ts'
import { startRelay } from '../support/servers/relay.ts'
import { newFolder } from '../support/service/temporaryStore.ts'
import { useOwnTemporal } from '../support/world/ownTemporal.ts'
import { silentLog } from '../support/world/settings.ts'
import { useWorld } from '../support/world/useWorld.ts'

const { folder, remove } = newFolder()
const databaseUrl = `file:${join(folder, 'service.db')}`
const key = newKey('2026-12')

// Before the hooks of the world, since hooks run in reverse.
afterAll(remove)

// The command reads all flows of a namespace.
const temporal = useOwnTemporal()
const world = useWorld({ service: { databaseUrl }, dataConverter: converterOf(key) }, temporal)

function variables() {
  const { address, namespace } = temporal()
  return {
    LOCKERFLOW_DATABASE_URL: databaseUrl,
    LOCKERFLOW_CODEC_KEYS: key,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
  }
}

async function collect(): Promise<void> {
  const printed = await runBlock(readBlocks('how-to/keep-records.md'), 'collect', variables(), folder)
  expect(printed).toMatch(/^(?:1 decision|(?!1 )\d+ decisions) about flows added$/m)
}

/** The collected decisions about a case, in the order of their moments. */
async function decisionsOf(caseNo: string) {
  const log = await openAuditLog(databaseUrl)
  const found = []
  for await (const entry of log.read({ tenantId: 'acme' })) {
    if (entry.action === 'flow.decided' && entry.subject === toWorkflowId(caseNo)) found.push(entry)
  }
  await log.close()
  return found.sort((one, other) => one.at.localeCompare(other.at))
}

/** Collects until a decision about a case is found: visibility lists a flow a moment after its start. */
function collectedOf(caseNo: string) {
  return eventually(async () => {
    await collect()
    const decisions = await decisionsOf(caseNo)
    return decisions.length > 0 ? decisions : undefined
  }, 120_000)
}

/** The listener of a gateway for the flows of the world. */
async function openFlowApi(settings: Pick<FlowApiSettings, 'decisionKeys' | 'issuers'>) {
  const { address, namespace } = temporal()
  const flowApi = await startFlowApi(
    { host: '127.0.0.1', port: 0, limits: { eventLoopDelay: 60_000 }, ...settings },
    {
      ...{ temporal: { address }, namespace, dataConverter: converterOf(key), taskQueue: world.taskQueue },
      ...{ log: silentLog, clock: Date.now, observer: undefined, stopping: new AbortController().signal },
      readiness: { missing: () => [] },
    },
  )
  onTestFinished(() => flowApi.stop(1_000))
  return flowApi
}

test('the decisions about flows are copied into the audit log, once each, with who decided and when', {
  timeout: 300_000,
}, async () => {
  const { caseNo } = await book(world, 'stock', { dropOff: '200ms' })
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  const start = Date.now()
  const identity = String(world.client.options.identity)
  expect(await world.flows.decide(caseNo, { decision: 'extend', by: '1h' })).toMatchObject({ kind: 'Decided' })
  expect(await collectedOf(caseNo)).toMatchObject([
    { actor: 'person', clientId: null, detail: `extend by ${identity}` },
  ])

  expect(await world.flows.cancel(caseNo, 'a text with a name')).toMatchObject({ kind: 'Cancelled' })
  await collect()
  await collect()
  const all = await decisionsOf(caseNo)
  expect(all.map(({ detail }) => detail)).toEqual([`extend by ${identity}`, `cancel by ${identity}`])
  for (const { at } of all) {
    expect(Date.parse(at)).toBeGreaterThan(start - 60_000)
    expect(Date.parse(at)).toBeLessThan(Date.now() + 60_000)
  }
})

test('a decision by a link is copied with the id of the link', { timeout: 300_000 }, async () => {
  const linkKey = 'a-key-of-links-that-is-long-enough'
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const flowApi = await openFlowApi({ decisionKeys: [linkKey], issuers: [] })
  const links = { url: flowApi.address, key: linkKey, lifetime: 3_600_000, extendBy: '24h' } as const
  await world.restartWorker({ notifications: { url: receiver.url, key: noticeKey, links } })
  // A question is asked once. A reminder is repeated, and each takes back the links of the one before.
  const { caseNo, shipment } = await book(world, 'issue', { pickUp: '200ms' })
  await world.open(shipment, 'deliveryCode')
  const overdue = () => noticesOf(receiver, caseNo).find(({ type }) => type === 'flow.overdue')
  const link = (await eventually(() => overdue()?.data.links)).extend
  expect((await fetch(link, { method: 'POST' })).status).toBe(200)
  const read = readDecisionLink([linkKey], link.split(decisionPath)[1] ?? '', 0)
  const detail = `extend by link:${typeof read === 'object' && read.id}`
  expect(await collectedOf(caseNo)).toMatchObject([{ actor: 'person', clientId: null, detail }])
  await world.flows.cancel(caseNo, 'over')
})

test('a decision over HTTP is copied with the client, and one of the command with its user', {
  timeout: 300_000,
}, async () => {
  const issuer = await startIssuer()
  onTestFinished(() => issuer.stop())
  const { url, audience } = issuer
  const flowApi = await openFlowApi({ issuers: [{ kind: 'openid', issuer: url, audience }] })
  const by = async (client_id: string) => callsOf(flowApi.address, await issuer.token({ claims: { client_id } }))
  const [shop, clinic] = [await by('shop'), await by('clinic')]
  const { address, namespace } = temporal()
  const command = (...words: string[]) =>
    runVerb(['flow', 'decide', ...words], {
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      LOCKERFLOW_TASK_QUEUE: world.taskQueue,
      LOCKERFLOW_CODEC_KEYS: key,
    })

  const { caseNo } = await book(world, 'stock', { dropOff: '200ms' })
  const overdue = () => world.statusWhen(caseNo, status => status.overdue)
  const path = `/flows/${caseNo}/decide`
  const extend = { decision: 'extend', by: '200ms' }
  await overdue()
  expect(await shop('POST', path, extend)).toMatchObject({ status: 200, body: { kind: 'Decided' } })
  await overdue()
  expect(await command(caseNo, '--by', '200ms', '--identity', 'robin@desk')).toMatchObject({ code: 0 })
  await overdue()
  expect(await command(caseNo, '--by', '200ms')).toMatchObject({ code: 0 })
  await overdue()
  expect(await clinic('POST', path, { decision: 'cancel' })).toMatchObject({ status: 200 })

  const collected = await collectedOf(caseNo)
  expect(collected.map(({ detail }) => detail)).toEqual([
    'extend by client:shop',
    'extend by robin@desk',
    `extend by lockerflow:${userInfo().username}@${hostname()}`,
    'cancel by client:clinic',
  ])
})

test('a history is read again only if it has grown', { timeout: 300_000 }, async () => {
  const { address, namespace } = temporal()
  const read: string[] = []
  const connection = await Connection.connect({
    address,
    interceptors: [
      (options, nextCall) =>
        new InterceptingCall(nextCall(options), {
          // The bytes of the message.
          sendMessage(message: Uint8Array, next) {
            if (options.method_definition.path.endsWith('/GetWorkflowExecutionHistory'))
              read.push(Buffer.from(message).toString('latin1'))
            next(message)
          },
        }),
    ],
  })
  onTestFinished(() => connection.close())
  const client = new Client({ connection, namespace, dataConverter: converterOf(key) })
  const seen: SeenHistories = new Map()
  async function pass(workflowId: string) {
    read.length = 0
    let decisions = 0
    for await (const decision of readDecisions(client, Date.now() - 3_600_000, seen))
      if (decision.workflowId === workflowId) decisions++
    return { reads: read.filter(message => message.includes(workflowId)).length, decisions }
  }
  const { caseNo } = await book(world, 'stock', { dropOff: '1h' })
  const workflowId = toWorkflowId(caseNo)
  await eventually(async () => (await pass(workflowId)).reads === 1, 120_000)
  // The flow may have had a task of its own meanwhile.
  await eventually(async () => (await pass(workflowId)).reads === 0, 120_000)
  await world.flows.cancel(caseNo, 'over')
  expect(await pass(workflowId)).toEqual({ reads: 1, decisions: 1 })
  await world.client.workflow.getHandle(workflowId).result()
  await pass(workflowId)
  expect(await pass(workflowId)).toEqual({ reads: 0, decisions: 0 })
})

test('the process of the audit log copies decisions by itself, and says when it cannot', {
  timeout: 300_000,
}, async () => {
  const relay = await startRelay(temporal().address)
  const lines: Record<string, unknown>[] = []
  const collector = spawn(
    process.execPath,
    ['cli/lockerflow.ts', 'audit', 'collect', '--tenant', 'acme', '--every', '200ms'],
    {
      env: {
        ...childEnvironment,
        LOCKERFLOW_DATABASE_URL: databaseUrl,
        LOCKERFLOW_CODEC_KEYS: key,
        LOCKERFLOW_LOG_LEVEL: 'info',
        TEMPORAL_ADDRESS: relay.address,
        TEMPORAL_NAMESPACE: temporal().namespace,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  onTestFinished(async () => {
    collector.kill('SIGKILL')
    await relay.cut()
  })
  createInterface(collector.stderr).on('line', line => lines.push(JSON.parse(line)))
  const [ready] = await once(createInterface(collector.stdout), 'line')
  expect(ready).toBe('audit ready: copies the decisions about flows of acme every 200ms')

  const { caseNo } = await book(world, 'stock', { dropOff: '200ms' })
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  await world.flows.decide(caseNo, { decision: 'extend', by: '1h' })
  const details = async () => (await decisionsOf(caseNo)).map(({ detail }) => detail?.split(' ')[0])
  const passes = () => lines.filter(({ msg, added }) => msg === 'decisions collected' && Number(added) > 0).length
  // Entries are in the log before their pass has read the other histories.
  await eventually(async () => (await details()).join() === 'extend' && passes() > 0, 120_000)

  await relay.cut()
  await eventually(
    () => lines.some(({ logId, tenantId }) => logId === 'decisions-not-collected' && tenantId === 'acme'),
    120_000,
  )
  const store = await openStore(databaseUrl)
  onTestFinished(() => store.destroy())
  await eventually(async () => (await readLateness(store)) > 2_000, 120_000)
  await world.flows.cancel(caseNo, 'over')
  await relay.mend()
  await eventually(async () => (await details()).join() === 'extend,cancel' && passes() > 1, 120_000)
  await eventually(async () => (await readLateness(store)) < 2_000, 120_000)

  collector.kill('SIGTERM')
  expect(await once(collector, 'exit')).toEqual([0, null])
  // It has ended, and is missed until a last pass.
  await eventually(async () => (await readLateness(store)) > 2_000, 120_000)
  const variables = {
    LOCKERFLOW_DATABASE_URL: databaseUrl,
    LOCKERFLOW_CODEC_KEYS: key,
    TEMPORAL_ADDRESS: temporal().address,
    TEMPORAL_NAMESPACE: temporal().namespace,
  }
  expect(await runVerb(['audit', 'collect', '--tenant', 'acme'], variables)).toMatchObject({ code: 0 })
  expect(await readLateness(store)).toBeGreaterThan(2_000)
  expect(await runVerb(['audit', 'collect', '--tenant', 'acme', '--end'], variables)).toMatchObject({ code: 0 })
  expect(await readLateness(store)).toBe(0)
})

test('a process for a tenant that the store lacks ends', { timeout: 300_000 }, async () => {
  const { address, namespace } = temporal()
  const variables = { LOCKERFLOW_DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }
  const words = ['audit', 'collect', '--tenant', 'umbrella', '--every', '1h']
  expect(await runVerb(words, variables)).toMatchObject({
    code: 2,
    failure: { message: '--tenant: must be a tenant of the store, which lacks umbrella.' },
  })
})

test.each(['', '--end', '--every 1h'])(
  'a tenant without shipments in the flows of the namespace is refused: %s',
  {
    timeout: 300_000,
  },
  async words => {
    const { caseNo } = await book(world, 'stock', { dropOff: '1h' })
    await world.flows.cancel(caseNo, 'over')
    await collectedOf(caseNo)
    const given = ['audit', 'collect', '--tenant', 'globex', ...words.split(' ').filter(Boolean)]
    expect(await runVerb(given, variables(), AbortSignal.timeout(60_000))).toMatchObject({
      code: 2,
      failure: {
        code: 'InvalidArguments',
        message: `--tenant: must be the tenant of the flows in the namespace ${variables().TEMPORAL_NAMESPACE}, got "globex". Their shipments belong to acme.`,
      },
    })
  },
)
