import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { root } from '../../project/sources.ts'
import { findPromtool } from '../../support/metrics/promtool.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'

const alertsFile = 'deploy/docker/prometheus/alerts.yml'
const testsFile = 'test/platform/metrics/alerts.yml'

let promtool: string | undefined

// The first run on a machine builds it.
beforeAll(async () => {
  promtool = await findPromtool(line => console.error(line))
}, 20 * 60_000)

beforeEach(context => context.skip(promtool === undefined, 'promtool is built with Go, which this machine lacks'))

/** Milliseconds; evaluating the cases takes seconds of processor time. */
const timeout = 300_000

function run(...args: string[]): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise(resolve => {
    const child = execFile(promtool ?? '', args, { cwd: root }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? Number.NaN, text: `${stdout}${stderr}` }),
    )
  })
}

test.each([
  ['the alert rules', ['check', 'rules', '--lint=all', '--lint-fatal', alertsFile]],
  ['the configuration', ['check', 'config', '--syntax-only', 'deploy/docker/prometheus/prometheus.yml']],
  ['the behaviour of the alerts', ['test', 'rules', testsFile]],
])('promtool accepts %s', { timeout }, async (_, args) => {
  expect(await run(...args)).toMatchObject({ status: 0 })
})

test('promtool finds a wrong rule, and an alert that does not fire', { timeout }, async () => {
  const rules = readFileSync(join(root, alertsFile), 'utf8')
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'alerts.yml'), rules.replace('(lockerflow_flows_overdue) > 0', '(lockerflow_flows{)'))
  expect(await run('check', 'rules', join(folder, 'alerts.yml'))).toMatchObject({
    status: 1,
    text: expect.stringContaining('FlowsOverdue'),
  })
  writeFileSync(
    join(folder, 'alerts.yml'),
    rules.replace('(lockerflow_flows_overdue) > 0', '(lockerflow_flows_overdue) > 9'),
  )
  const { tests } = parse(readFileSync(join(root, testsFile), 'utf8'))
  const [overdue] = tests.filter(({ name }: { name: string }) => name.startsWith('flows are overdue'))
  writeFileSync(join(folder, 'tests.yml'), stringify({ rule_files: ['alerts.yml'], tests: [overdue] }))
  expect(await run('test', 'rules', join(folder, 'tests.yml'))).toMatchObject({
    status: 1,
    text: expect.stringContaining('FlowsOverdue'),
  })
})

test('every alert has a case in which it fires, and one in which it is silent', () => {
  const { groups } = parse(readFileSync(join(root, alertsFile), 'utf8'))
  const { tests } = parse(readFileSync(join(root, testsFile), 'utf8'))
  const cases = tests.flatMap((one: { alert_rule_test: object[] }) => one.alert_rule_test)
  const named = (fires: boolean) =>
    cases.flatMap(({ alertname, exp_alerts = [] }: { alertname: string; exp_alerts?: object[] }) =>
      fires === exp_alerts.length > 0 ? [alertname] : [],
    )
  for (const { alert } of groups.flatMap(({ rules }: { rules: object[] }) => rules)) {
    expect(named(true)).toContain(alert)
    expect(named(false)).toContain(alert)
  }
})
