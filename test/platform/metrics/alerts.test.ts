import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../project/sources.ts'
import { listed, listedOfTemporal } from '../../support/metrics/listed.ts'
import { parseQuery } from '../../support/metrics/promql.ts'
import { anchorsOf } from '../../support/project/markdown.ts'

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly runbook: string }
}

interface Dashboard {
  readonly uid: string
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { groups } = parse(read('deploy/docker/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] }
const alerts = groups.flatMap(({ rules }) => rules)
const folder = 'deploy/docker/grafana/dashboards'
const dashboards = readdirSync(join(root, folder)).map(file => JSON.parse(read(`${folder}/${file}`)) as Dashboard)
const queries = [
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboards.flatMap(({ uid, panels }) =>
    panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [`${uid}: ${title}`, expr] as const)),
  ),
]

/** Labels that Prometheus adds to each metric, the last one on Kubernetes. */
const scraped = ['instance', 'job', 'namespace']
const ofTemporal = ['activity_type', 'failure_reason', 'task_queue', 'worker_type', 'workflow_type']

/** The labels of a metric, or of a part of a histogram; undefined for an unknown one. */
function labelsOf(metric: string): string[] | undefined {
  if (metric === 'up') return scraped
  const name = metric.replace(/_(bucket|count|sum)$/, '')
  const own = listed.find(each => each.name === metric || (each.name === name && each.kind === 'histogram'))
  const isOfTemporal = listedOfTemporal.some(each => each === metric || each === name)
  if (own === undefined && !isOfTemporal) return undefined
  return [...scraped, ...(metric.endsWith('_bucket') ? ['le'] : []), ...(own?.labels ?? ofTemporal)]
}

test.each(queries)('%s names metrics and labels of the reference page', (_, expr) => {
  const { faults, selectors, groupedBy } = parseQuery(expr)
  expect(faults).toEqual([])
  expect(selectors.filter(({ metric }) => labelsOf(metric) === undefined)).toEqual([])
  for (const { metric, labels } of selectors) expect(labelsOf(metric)).toEqual(expect.arrayContaining([...labels]))
  expect(selectors.flatMap(({ metric }) => labelsOf(metric) ?? [])).toEqual(expect.arrayContaining([...groupedBy]))
})

test.each(alerts)('$alert leads to a section of the page on call', ({ annotations }) => {
  const [page = '', anchor = ''] = annotations.runbook.split('#')
  expect([...anchorsOf(page)]).toContain(anchor)
})
