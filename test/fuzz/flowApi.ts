import type { Client } from '@temporalio/client'
import { createFlowClient } from '#client'
import { accessScope, examples, tokenPath } from '#contract'
import { taskQueue } from '#contract/terms'
import { createLog } from '#platform/logs'
import type { Service } from '#service'
import { flowApiOperations, watchOperation } from '../../gateway/flowApi/index.ts'
import { startStack } from '../../testing/stack/index.ts'
import { approval } from '../support/flows/approval.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { installTestRuntime } from '../support/world/runtime.ts'
import { casesEach, runSchemathesis } from './schemathesis.ts'
import { countAnswers, isProven } from './tally.ts'
import { topology } from './world.ts'

const cases = 20

/** The cases whose flows wait for each kind of operation. */
interface Cases {
  /** For an item. */
  readonly waiting: readonly string[]
  /** For a decision: their window has passed. */
  readonly overdue: readonly string[]
  /** For a receiver. */
  readonly delayed: readonly string[]
  /** For the end of a kept booking. */
  readonly kept: readonly string[]
  /** For an answer. */
  readonly asking: readonly string[]
  /** For nothing any more: their streams have an end. */
  readonly ended: readonly string[]
}

/** The cases with which each operation can succeed. */
const waitingFor = {
  decide: 'overdue',
  assignReceiver: 'delayed',
  release: 'kept',
  answer: 'asking',
  watchFlow: 'ended',
} as const satisfies Record<string, keyof Cases>

/** Tests the flow API of a real gateway, with a worker, against its OpenAPI document. True without findings. */
export async function fuzzFlowApi(): Promise<boolean> {
  const answers = countAnswers()
  installTestRuntime()
  const stack = await startStack({
    temporal: 'own',
    webUi: false,
    progress: line => console.error(line),
    flowApi: {
      port: 0,
      settings: ({ authUrl, clientId, clientSecret }) => ({
        host: '127.0.0.1',
        port: 0,
        flows: [approval],
        // Otherwise every answer would be refused.
        issuers: [{ kind: 'service', authUrl, clientId, clientSecret, roles: 'all' }],
        // Schemathesis knows no rest, and a busy machine is no finding.
        limits: { rate: 100_000, eventLoopDelay: 60_000 },
      }),
    },
    parts: {
      service: { topology, log: createLog('silent'), databaseUrl: 'file::memory:' },
      gateway: { taskQueue, log: createLog('info', answers.log) },
      worker: async () => ({ flows: [approval] }),
    },
  })
  try {
    const { api, client, service } = stack
    const { userUid } = await api.call('CreateAccount', examples.CreateAccount.request)
    const user = userUid ?? ''
    const started = await startFlows(client, user)
    const eventIds = await readEventIds(client, started.ended)
    const settings = configuration(await readToken(service), started, { userUid: user, eventIds })
    const code = await runSchemathesis(stack.flowApiAddress ?? '', settings)
    const names = [...flowApiOperations, watchOperation].map(({ name }) => name)
    return isProven(answers, names, []) && code === 0
  } finally {
    await stack.stop()
    await stack.client.connection.close()
  }
}

/** Flows for each operation, so that requests get past the check for unknown cases. */
async function startFlows(client: Client, userUid: string): Promise<Cases> {
  const flows = createFlowClient(client, { taskQueue, flows: [approval] })
  const each = async (letter: string, start: (caseNo: string) => Promise<unknown>) => {
    const caseNos = Array.from({ length: cases }, (_, number) => `${letter}-${number}`)
    for (const caseNo of caseNos) await start(caseNo)
    return caseNos
  }
  const delayed = { ...parcel, FromUserUid: userUid, IsReceiverDelayed: true }
  const kept = { ...parcel, KeepBookedAfterPickUp: true }
  const ended = await each('E', caseNo => flows.startAndWaitForBooking('stock', { caseNo, request: parcel }))
  for (const caseNo of ended) await flows.cancel(caseNo, 'over')
  return {
    ended,
    waiting: await each('F', caseNo => flows.startAndWaitForBooking('stock', { caseNo, request: parcel })),
    overdue: await each('O', caseNo =>
      flows.startAndWaitForBooking('stock', { caseNo, request: parcel, windows: { dropOff: '200ms' } }),
    ),
    delayed: await each('R', caseNo => flows.startAndWaitForBooking('localShipment', { caseNo, request: delayed })),
    kept: await each('K', caseNo => flows.startAndWaitForBooking('collectByDispatcher', { caseNo, request: kept })),
    asking: await each('A', caseNo => flows.start('approval', { caseNo, request: {} })),
  }
}

/** The ids of the events of a flow, and the one that tells that the caller has received all. */
async function readEventIds(client: Client, [caseNo = '']: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for await (const item of createFlowClient(client).watch(caseNo)) if ('cursor' in item) ids.push(item.cursor)
  return [...ids, 'end']
}

async function readToken({ address }: Service): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: 'acme', client_secret: 'acme-secret', scope: accessScope }
  const response = await fetch(address + tokenPath, { method: 'POST', body: new URLSearchParams(form) })
  return ((await response.json()) as { access_token: string }).access_token
}

/** The configuration of Schemathesis as TOML. Lists and texts are JSON, which TOML accepts. */
function configuration(
  token: string,
  { waiting, ...others }: Cases,
  { userUid, eventIds }: { readonly userUid: string; readonly eventIds: readonly string[] },
): string {
  return `
# A busy machine is no finding.
suppress-health-check = ["too_slow"]

[generation]
max-examples = ${casesEach}
database = "none"

[cache]
enabled = false

[auth.openapi.token]
bearer = ${JSON.stringify(token)}

[dictionaries]
cases = { values = ${JSON.stringify(waiting)} }
${Object.entries(others)
  .map(([name, values]) => `${name} = { values = ${JSON.stringify(values)} }`)
  .join('\n')}
users = { values = [${JSON.stringify(userUid)}] }
steps = { values = ["check"] }
answers = { values = ["approve"] }
eventIds = { values = ${JSON.stringify(eventIds)} }
flows = { values = ["stock", "issue", "importAccountSuggestions"] }
waits = { values = [10] }

[parameters]
"path.caseNo" = { dictionary = "cases", probability = 0.7 }
"query.timeout" = { dictionary = "waits", probability = 1.0 }
"body.toUserUid" = { dictionary = "users", probability = 0.7 }
"body.step" = { dictionary = "steps", probability = 0.7 }
"body.answer" = { dictionary = "answers", probability = 0.7 }

# 404, 409 and 422 concern the case and not the fields.
[checks]
positive_data_acceptance.expected-statuses = ["2xx", 401, 403, 404, 409, 422]
# 413 and 431 concern the size.
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 431]

[[operations]]
include-operation-id = "startFlow"
parameters."path.key" = { dictionary = "flows", probability = 0.7 }

[[operations]]
include-operation-id = "getFlow"
parameters."path.key" = { dictionary = "cases", probability = 0.7 }

${Object.entries(waitingFor)
  .filter(([operation]) => operation !== watchOperation.name)
  .map(
    ([operation, dictionary]) => `
[[operations]]
include-operation-id = "${operation}"
parameters."path.caseNo" = { dictionary = "${dictionary}", probability = 0.7 }`,
  )
  .join('\n')}

# The stream of a flow that goes on has no end.
[[operations]]
include-operation-id = "${watchOperation.name}"
parameters."path.caseNo" = { dictionary = "${waitingFor.watchFlow}", probability = 1.0 }
parameters."header.Last-Event-ID" = { dictionary = "eventIds", probability = 0.3 }
# OpenAPI 3.1 describes a stream as a text, and Schemathesis compares the schema with each event.
checks.response_schema_conformance.enabled = false
`
}
