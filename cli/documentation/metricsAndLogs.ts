import { healthPaths, type ReadinessCheck, readinessChecks } from '#contract'
import { outcomes } from '#gateway'
import { informationLines, type LogEvent, logEvents } from '#platform/logs'
import { type Metric, measurementInterval, metricTable, temporalMetrics } from '#platform/metrics'
import { logLines } from './logLines.ts'
import { generated, table } from './markdown.ts'

/** docs/reference/metrics-and-logs.md: health, log lines, metrics and queries. */
export function metricsAndLogsPage(): string {
  return `${[
    generated,
    healthIntroduction,
    table(['name', 'process', 'missing if'], readinessRows()),
    introduction,
    '### Lines that need an action',
    table(['`logId`', 'process', 'level', 'message', 'fields', 'meaning', 'action'], eventRows()),
    '### Other lines',
    table(['process', 'message', 'fields', 'meaning'], informationRows()),
    metricsIntroduction,
    table(['metric', 'kind', 'process', 'labels', 'meaning'], metricRows()),
    '### Workers',
    temporalIntroduction,
    table(
      ['metric', 'meaning'],
      Object.entries(temporalMetrics).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    queries,
  ].join('\n\n')}\n`
}

function eventRows(): string[][] {
  const lines = logLines()
  const ofCallbacks = new Set<string | undefined>(Object.values(outcomes).map(({ logId }) => logId))
  return Object.entries<LogEvent>(logEvents).map(([logId, { processes, level, text, meaning, action }]) => {
    const written = lines.filter(
      line => line.logId === logId || (line.level === 'by outcome' && ofCallbacks.has(logId)),
    )
    const fields = [...new Set(written.flatMap(line => line.fields))]
    return [`\`${logId}\``, processes.join(', '), level, `\`${text}\``, toCode(fields), meaning, action]
  })
}

function readinessRows(): string[][] {
  return Object.entries<ReadinessCheck>(readinessChecks).map(([name, { processes, meaning, staysReady }]) => [
    `\`${name}\``,
    processes.join(', '),
    [meaning, ...(staysReady === true ? ['The process stays ready.'] : [])].join(' '),
  ])
}

function metricRows(): string[][] {
  return Object.entries<Metric>(metricTable).map(([name, { kind, process, labels, meaning, only }]) => {
    const values = Object.entries(labels).map(([label, value]) => `\`${label}\`: ${value}`)
    const bound = only === undefined ? [] : [`Only with ${only}.`]
    return [`\`${name}\``, kind, process, values.join('; '), [meaning, ...bound].join(' ')]
  })
}

function informationRows(): string[][] {
  return logLines()
    .filter(({ level }) => level === 'info' || level === 'by outcome')
    .map(({ process, text, fields }) => [process, `\`${text}\``, toCode(fields), informationLines[text] ?? ''])
}

function toCode(fields: readonly string[]): string {
  return fields.map(field => `\`${field}\``).join(', ')
}

const healthIntroduction = `# Metrics and logs

## Health

\`${healthPaths.live}\` succeeds while a process responds. \`${healthPaths.ready}\` succeeds while it can do its work; otherwise it answers 503,
and its body lists what is missing. A worker serves both with \`LOCKERFLOW_WORKER_PORT\`.

\`\`\`json
{ "ready": false, "missing": [{ "name": "temporal", "reason": "gRPC 14: No connection established" }] }
\`\`\`

Readiness covers neither single lockers nor receivers of callbacks, and no probe writes to the store. That of the gateway does
not cover the service once it has accepted the address, and checks Temporal when no signal has succeeded for ten seconds. That of the worker
does not cover the service.`

const introduction = `## Log lines

Service, gateway, worker, codec server and \`lockerflow audit\` write JSON lines to standard error. \`level\` is 30 for info, 40 for warn and 50 for error. A fault
that repeats is one line every ten seconds per code; \`suppressed\` is the number of omitted lines. Each warning and
error has a \`logId\`, which never changes. \`LOCKERFLOW_LOG_LEVEL\` selects the lines. Lines that cannot be written, for example on a full disk,
are lost, and the process continues.

A process that cannot start writes text that begins with its name, such as \`service: …\`. Wrong settings have a line each, with an
example, and the process exits with 2. Without its PostgreSQL the service exits with 3. Otherwise a process exits with 1.`

const metricsIntroduction = `## Metrics

Service, gateway and worker expose metrics for Prometheus at \`/metrics\` of \`LOCKERFLOW_METRICS_PORT\`, or send them by OTLP, as the
\`OTEL_\` variables say ([settings](settings.md)). Without these variables, nothing is measured. The port needs no token and listens on
loopback, unless \`LOCKERFLOW_METRICS_HOST\` is set.

Gauges that cost a query are measured every ${measurementInterval} seconds, however often Prometheus scrapes. Those of lockers, callbacks and flows
are the same in every replica: use \`max\`, not \`sum\`. No label contains a tenant, a case or a person
([D-231](../explanation/decisions/production.md#d-231)). Histograms add \`_bucket\`, \`_count\` and \`_sum\` to the name. \`target_info\`
describes the process.

[deploy/docker/prometheus/alerts.yml](../../deploy/docker/prometheus/alerts.yml) contains the alerts, and
[deploy/docker/grafana/dashboards](../../deploy/docker/grafana/dashboards) the dashboards.`

const temporalIntroduction =
  "The metrics of a worker are those of Temporal's SDK. It creates most of them at their first event. With Prometheus and OTLP both on, a worker uses Prometheus."

const queries = `## Queries to watch

This query returns the age of the oldest pending callback of each tenant, and the number of callbacks that were given up. Raise an
alarm if the age exceeds some minutes, or if any was given up:

\`\`\`sql
select tenant_id, count(*), max(attempts), now() - to_timestamp(min(created_at) / 1000.0) as oldest,
  count(dead_since) as given_up from outbox group by tenant_id;
\`\`\`

\`lockerflow callbacks list --store --json\` prints the same callbacks, and \`dead\` counts those that were given up by tenant.

Flows, as saved queries of the Web UI or as numbers from \`temporal workflow count --namespace lockerflow --query "…"\`:

| alarm | query |
|---|---|
| overdue: a person has to decide, or to remind the user | \`LockerflowOverdue = true AND ExecutionStatus = 'Running'\` |
| failed | \`LockerflowCase IS NOT NULL AND ExecutionStatus = 'Failed'\` |
| terminated or timed out: lockers may still be booked | \`LockerflowCase IS NOT NULL AND ExecutionStatus IN ('Terminated', 'TimedOut')\` |
| notifications that were not delivered for three days | \`WorkflowType = 'notification' AND ExecutionStatus = 'Failed'\` |

[On call](../how-to/on-call.md) says what to do at each alarm. \`lockerflow sweep --schedule 1h\` lists shipments without a flow every hour, see [flows.md](flows.md#sweep).
[Run with Docker Compose](../how-to/run-with-compose.md#commands) says where commands run.`
