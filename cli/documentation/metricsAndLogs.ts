import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { healthPaths } from '#contract'
import { generated, table } from './markdown.ts'

/** A call of the log in the sources. */
export interface LogLine {
  readonly process: string
  /** `by outcome` where the call computes it. */
  readonly level: string
  readonly text: string
  readonly fields: readonly string[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** docs/reference/metrics-and-logs.md: health, log lines as the sources write them, metrics and queries. */
export function metricsAndLogsPage(): string {
  const rows = logLines().map(({ process, level, text, fields }) => [
    process,
    level,
    `\`${text}\``,
    fields.map(field => `\`${field}\``).join(', '),
    logMeanings[text] ?? '',
  ])
  return `${[
    generated,
    introduction,
    table(['process', 'level', 'message', 'fields', 'meaning'], rows),
    afterwards,
  ].join('\n\n')}\n`
}

/** Every log line of service and gateway. */
export function logLines(): LogLine[] {
  const lines = ['service', 'gateway'].flatMap(process =>
    readdirSync(join(root, process), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts'))
      .toSorted()
      .flatMap(file => linesIn(readFileSync(join(root, process, file), 'utf8')).map(line => ({ process, ...line }))),
  )
  return [...Map.groupBy(lines, ({ process, text }) => `${process} ${text}`).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, fields: [...new Set([first, ...others].flatMap(({ fields }) => fields))] }],
  )
}

/** The calls `log.warn({ fields }, 'text')` of a source file. */
export function linesIn(source: string): Omit<LogLine, 'process'>[] {
  const calls = source.matchAll(/\blog(?:\.(info|warn|error)|\[\w+\])\(\s*(?:(\{[^{}]*\})|\w+),\s*'([^']+)',?\s*\)/g)
  const plain = source.matchAll(/\blog\.(info|warn|error)\(\s*'([^']+)'\s*\)/g)
  return [
    ...[...calls].map(([, level = 'by outcome', object = '', text = '']) => ({
      level,
      text,
      fields: object === '' ? requestFields(source) : fieldsIn(object),
    })),
    ...[...plain].map(([, level = '', text = '']) => ({ level, text, fields: [] })),
  ]
}

/** The keys of an object literal, spreads left out. */
function fieldsIn(object: string): string[] {
  return object
    .slice(1, -1)
    .split(',')
    .map(part => part.split(':')[0]?.trim() ?? '')
    .filter(key => /^\w+$/.test(key))
}

/** The keys of the constant `line` that the call names. */
function requestFields(source: string): string[] {
  const [, body = ''] = /const line = \{\n(.*?)\n {2}\}/s.exec(source) ?? []
  return [...body.matchAll(/^ {4}(\w+)[,:]/gm)].map(([, name = '']) => name)
}

/** The meaning of each log message, and what an operator does about it. */
export const logMeanings: Readonly<Record<string, string>> = {
  request: 'One line per request. `errorCode` is set for failures and refusals.',
  'request failed': 'A defect: the caller received 500 with this `requestId`.',
  'request failed: service unavailable': 'The store is down or overloaded. Callers receive 503.',
  'operation refused':
    'A refusal with an internal cause, for example a mutation configuration that could not be stored.',
  'expired uploads not purged': 'Deleting old uploads failed. It is repeated.',
  'client secrets of the topology ignored':
    'The clients command removed these clients or changed their secrets ([D-154](../explanation/decisions/sign-in.md#d-154)).',
  'expired rows not purged': 'Deleting expired rows failed. It is repeated.',
  'requests rejected: service overloaded':
    'The event loop or the store is slower than a limit of the settings: `reason` and `durationMs` say which. At most one line a second.',
  'locker door failed to open': 'The hardware reported a failure, or `timedOut` after three seconds.',
  'callback delivery failed':
    'The receiver did not accept a callback. One is harmless; many mean that the receiver is down or has another key (401).',
  'callback given up':
    'A callback failed at the age limit ([D-110](../explanation/decisions/callbacks.md#d-110)). Alarm: it is [sent again](../how-to/operate.md#callbacks-that-were-given-up) on command only.',
  'callbacks given up wait to be sent again':
    'Once an hour, and at the start, for each tenant that has some. `count` is their number.',
  'callback delivery not recorded': 'The store failed after a delivery. The callback is delivered again.',
  'callbacks not read: store unavailable': 'The store is down. Delivery continues when it is back.',
  'callback received':
    '`outcome` is signalled, noFlow, repeated, rejected, invalidSignature, limited or unavailable ([D-088](../explanation/decisions/orchestration.md#d-088)). `invalidSignature` means another key, or clocks more than fifteen minutes apart. For `rejected`, this line is the only trace.',
  'callback address registered': 'The service sends its callbacks to this gateway.',
  'callback registration failed':
    'The gateway is not ready and tries again. `SignInFailed` means a wrong secret, or a service that is down.',
  'Temporal available': 'Signals are accepted again.',
  'Temporal unavailable':
    'The gateway answers 503 and is not ready. `reason` says why: unreachable, namespace, permission.',
}

const introduction = `# Metrics and logs

## Health

| process | \`${healthPaths.live}\` | \`${healthPaths.ready}\` checks | not checked |
|---|---|---|---|
| service | the process responds | the store, by a read | lockers, receivers of callbacks, writes to the store |
| gateway | the process responds | that the service has accepted its address once; Temporal, until it responds and again after a failed signal | the service after that; Temporal while no callbacks arrive |
| worker, with \`LOCKERFLOW_WORKER_PORT\` | the process responds | Temporal, and that its deployment has a current build | the service |

## Log lines

Service and gateway write JSON lines to standard error. \`level\` is 30 for info, 40 for warn and 50 for error. A fault that
repeats is one line every ten seconds per code; \`suppressed\` is the number of lines that were left out. A worker
writes text; its line \`worker not ready: …\` gives the reason of \`${healthPaths.ready}\` while it receives no work.`

const afterwards = `## Metrics

With \`LOCKERFLOW_METRICS_PORT\`, a worker serves the metrics of Temporal's SDK for Prometheus at \`/metrics\`. Useful ones:

| metric | alarm when |
|---|---|
| \`temporal_workflow_task_execution_failed\` | it grows: a flow cannot make progress, often because its history does not replay |
| \`temporal_worker_task_slots_available\` | it stays at 0: start another worker |
| \`temporal_activity_execution_failed\` | it grows quickly: the service is down or refuses |
| \`temporal_sticky_cache_size\` | it equals LOCKERFLOW_MAX_CACHED_WORKFLOWS and replays slow the worker down |

Service and gateway have no metrics endpoint. Count their log lines, or ask the database.

## Queries to watch

The age of the oldest pending callback of each tenant, and the number of those that were given up. Alarm after some minutes,
and when any was given up:

\`\`\`sql
select tenant_id, count(*), max(attempts), now() - to_timestamp(min(created_at) / 1000.0) as oldest,
  count(dead_since) as given_up from outbox group by tenant_id;
\`\`\`

\`npm run callbacks -- list --json\` prints the same callbacks, and \`dead\` counts those that were given up by tenant.

Flows, as saved queries of the Web UI or as numbers from \`temporal workflow count --namespace lockerflow --query "…"\`:

| alarm | query |
|---|---|
| overdue: a person has to decide, or to remind the user | \`LockerflowOverdue = true AND ExecutionStatus = 'Running'\` |
| failed | \`LockerflowCase IS NOT NULL AND ExecutionStatus = 'Failed'\` |
| terminated: lockers may still be booked | \`LockerflowCase IS NOT NULL AND ExecutionStatus = 'Terminated'\` |
| notifications that were not delivered for three days | \`WorkflowType = 'notification' AND ExecutionStatus = 'Failed'\` |

[Operate](../how-to/operate.md#on-call) says what to do at each alarm. \`npm run sweep -- --schedule 1h\` lists shipments without a flow every hour, see [flows.md](flows.md#sweep).
[Run with Docker Compose](../how-to/run-with-compose.md#commands-from-a-clone) says where commands run.`
