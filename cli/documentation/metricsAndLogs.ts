import { healthPaths } from '#contract'
import { informationLines, type LogEvent, logEvents } from '#logs'
import { logLines } from './logLines.ts'
import { generated, table } from './markdown.ts'

/** docs/reference/metrics-and-logs.md: health, log lines, metrics and queries. */
export function metricsAndLogsPage(): string {
  return `${[
    generated,
    introduction,
    '### Lines that need an action',
    table(['`logId`', 'process', 'level', 'message', 'fields', 'meaning', 'action'], eventRows()),
    '### Other lines',
    table(['process', 'message', 'fields', 'meaning'], informationRows()),
    afterwards,
  ].join('\n\n')}\n`
}

function eventRows(): string[][] {
  const lines = logLines()
  return Object.entries<LogEvent>(logEvents).map(([logId, { processes, level, text, meaning, action }]) => {
    const written = lines.filter(line => line.logId === logId || (line.level === 'by outcome' && line.text === text))
    const fields = [...new Set(written.flatMap(line => line.fields))]
    return [`\`${logId}\``, processes.join(', '), level, `\`${text}\``, toCode(fields), meaning, action]
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

const introduction = `# Metrics and logs

## Health

| process | \`${healthPaths.live}\` | \`${healthPaths.ready}\` checks | not checked |
|---|---|---|---|
| service | the process responds | the store, by a read | lockers, receivers of callbacks, writes to the store |
| gateway | the process responds | that the service has accepted its address once; Temporal, until it responds and again after a failed signal | the service after that; Temporal while no callbacks arrive |
| worker, with \`LOCKERFLOW_WORKER_PORT\` | the process responds | Temporal, and that its deployment has a current build | the service |

## Log lines

Service, gateway and worker write JSON lines to standard error. \`level\` is 30 for info, 40 for warn and 50 for error. A fault
that repeats is one line every ten seconds per code; \`suppressed\` is the number of lines that were left out. Each warning and
error has a \`logId\`, which never changes. \`LOCKERFLOW_LOG_LEVEL\` selects the lines.

A process that cannot start writes one line of text, \`service: …\`, \`gateway: …\` or \`worker: …\`, and exits with 1. The line names
each wrong setting and an example.`

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

[On call](../how-to/on-call.md) says what to do at each alarm. \`npm run sweep -- --schedule 1h\` lists shipments without a flow every hour, see [flows.md](flows.md#sweep).
[Run with Docker Compose](../how-to/run-with-compose.md#commands-from-a-clone) says where commands run.`
