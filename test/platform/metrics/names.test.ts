import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Metric, metricTable, temporalMetrics } from '#platform/metrics'
import { root } from '../../project/sources.ts'
import { parseQuery } from '../../support/metrics/promql.ts'

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

interface Panel {
  readonly title: string
  readonly fieldConfig: { readonly defaults: { readonly unit: string } }
  readonly targets: readonly { readonly expr: string }[]
}

interface Dashboard {
  readonly uid: string
  readonly panels: readonly Panel[]
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { groups } = parse(read('deploy/docker/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] }
const alerts = groups.flatMap(({ rules }) => rules)
const dashboards = readdirSync(join(root, 'deploy/docker/grafana/dashboards')).map(
  file => JSON.parse(read(`deploy/docker/grafana/dashboards/${file}`)) as Dashboard,
)
const queries = [
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboards.flatMap(({ uid, panels }) =>
    panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [`${uid}: ${title}`, expr] as const)),
  ),
]
const onCall = read('docs/how-to/on-call.md')
const anchors = [...onCall.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'))

/** The names of metrics in a text, histograms without the suffix of their parts. */
function metricsIn(text: string): string[] {
  const found = [...text.matchAll(/\b(?:lockerflow|temporal)_\w+/g)].map(([name]) => name)
  return found.map(name => (isHistogram(name.replace(parts, '')) ? name.replace(parts, '') : name))
}

const parts = /_(bucket|count|sum)$/

function isHistogram(name: string): boolean {
  const own = (metricTable as Record<string, Metric>)[name]
  return own === undefined ? name in temporalMetrics && /_seconds$/.test(name) : own.kind === 'histogram'
}

const known = new Set([...Object.keys(metricTable), ...Object.keys(temporalMetrics)])

/** Labels that Prometheus adds to each metric, the last one on Kubernetes. */
const scraped = ['instance', 'job', 'namespace']
/** Labels of Temporal's metrics that alerts and dashboards use. */
const ofTemporal = ['activity_type', 'failure_reason', 'task_queue', 'worker_type', 'workflow_type']

/** The labels of a metric, those of a histogram's parts included. */
function labelsOf(metric: string): string[] {
  const [name = ''] = metricsIn(metric)
  const own = (metricTable as Record<string, Metric>)[name]
  const le = metric.endsWith('_bucket') ? ['le'] : []
  return [...scraped, ...le, ...(own === undefined ? ofTemporal : Object.keys(own.labels ?? {}))]
}

test.each(queries)('%s is accepted by the grammar of Prometheus: %s', (_, expr) => {
  expect(parseQuery(expr).faults).toEqual([])
})

test.each(queries)('%s names metrics that exist: %s', (_, expr) => {
  const { selectors } = parseQuery(expr)
  expect(selectors.length).toBeGreaterThan(0)
  const unknown = selectors.filter(({ metric }) => metric !== 'up' && !metricsIn(metric).some(name => known.has(name)))
  expect(unknown).toEqual([])
})

test.each(queries)('%s uses labels that its metrics have: %s', (_, expr) => {
  const { selectors, groupedBy } = parseQuery(expr)
  for (const { metric, labels } of selectors) expect(labelsOf(metric)).toEqual(expect.arrayContaining([...labels]))
  const all = selectors.flatMap(({ metric }) => labelsOf(metric))
  expect(all).toEqual(expect.arrayContaining([...groupedBy]))
})

test('a query that Prometheus would refuse is found', () => {
  for (const expr of ['max(lockerflow_flows{)', 'rate(lockerflow_flows[5z])', 'sum by state (lockerflow_flows)'])
    expect({ expr, faults: parseQuery(expr).faults.length }).not.toEqual({ expr, faults: 0 })
  expect(parseQuery('sum by (state) (rate(lockerflow_flows{job="a"}[5m]))')).toEqual({
    faults: [],
    selectors: [{ metric: 'lockerflow_flows', labels: ['job'] }],
    groupedBy: ['state'],
  })
})

describe('alerts', () => {
  test.each(alerts)('$alert has a severity, a summary and a section of the page on call', alert => {
    expect(alert.labels.severity).toMatch(/^(page|ticket)$/)
    expect(alert.annotations.summary.length).toBeGreaterThan(10)
    const [, anchor = ''] = alert.annotations.runbook.split('docs/how-to/on-call.md#')
    expect(anchors).toContain(anchor)
    if (alert.for !== undefined) expect(alert.for).toMatch(/^\d+[smh]$/)
  })

  test('have names of their own', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length)
  })
})

test.each(['docs/how-to/on-call.md', 'platform/logs/table.ts'])('%s names metrics that exist', path => {
  const named = metricsIn(read(path)).filter(name => !['temporal_visibility'].includes(name))
  expect(named.filter(name => !known.has(name))).toEqual([])
})

test('a wrong name is found', () => {
  expect(metricsIn('rate(lockerflow_request_duration_seconds_count[5m]) + lockerflow_gone')).toEqual([
    'lockerflow_request_duration_seconds',
    'lockerflow_gone',
  ])
})

test('dashboards have ids of their own, and each panel a query', () => {
  expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length)
  for (const { panels } of dashboards) for (const { targets } of panels) expect(targets).not.toEqual([])
})

/** True if a query returns seconds: a quantile of times, or a gauge. Rates and counts are of other units. */
const isTime = (expr: string) => /^histogram_quantile\(/.test(expr) || /_seconds\b/.test(expr)

test.each(dashboards.flatMap(({ uid, panels }) => panels.map(panel => [`${uid}: ${panel.title}`, panel] as const)))(
  '%s has the unit of its queries',
  (_, { fieldConfig, targets }) => {
    const { unit } = fieldConfig.defaults
    for (const { expr } of targets) expect({ expr, isTime: isTime(expr) }).toEqual({ expr, isTime: unit === 's' })
  },
)
