import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../support/compose/resolved.ts'

type Labels = Readonly<Record<string, string>>

interface Rule {
  readonly source_labels: readonly string[]
  readonly regex?: string
  readonly action?: string
  readonly target_label?: string
}

const page = readFileSync(join(root, 'docs/how-to/run-on-kubernetes.md'), 'utf8')
const [, example = ''] = /```yaml\n(\s*scrape_configs:.*?)```/s.exec(page) ?? []
const [job] = parse(example).scrape_configs
const rules: readonly Rule[] = job.relabel_configs

/** The labels that Prometheus gives to the target; undefined for a target that it drops. */
function relabel(target: Labels): Labels | undefined {
  let labels: Labels = { job: job.job_name, ...target }
  for (const { source_labels, regex = '.*', action = 'replace', target_label = '' } of rules) {
    const value = source_labels.map(name => labels[name] ?? '').join(';')
    const matches = new RegExp(`^(?:${regex})$`).test(value)
    if (action === 'replace') labels = matches ? { ...labels, [target_label]: value } : labels
    else if (matches === (action === 'drop')) return undefined
  }
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !name.startsWith('__')))
}

const worker = {
  __meta_kubernetes_namespace: 'beta',
  __meta_kubernetes_pod_phase: 'Running',
  __meta_kubernetes_pod_container_port_name: 'metrics',
  __meta_kubernetes_pod_label_app_kubernetes_io_name: 'worker',
}

test('a pod gets the labels by which alerts tell processes and tenants apart', () => {
  expect(relabel(worker)).toEqual({ job: 'worker', namespace: 'beta' })
})

test('a pod that starts is a target, and one that has ended or another port is not', () => {
  expect(relabel({ ...worker, __meta_kubernetes_pod_phase: 'Pending' })).toBeDefined()
  for (const phase of ['Failed', 'Succeeded'])
    expect(relabel({ ...worker, __meta_kubernetes_pod_phase: phase })).toBeUndefined()
  expect(relabel({ ...worker, __meta_kubernetes_pod_container_port_name: 'health' })).toBeUndefined()
})

test('the namespaces of several tenants are listed', () => {
  const [{ role, namespaces }] = job.kubernetes_sd_configs
  expect(role).toBe('pod')
  expect(namespaces.names[0]).toBe('lockerflow')
  expect(namespaces.names.length).toBeGreaterThan(1)
})
