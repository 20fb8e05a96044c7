import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { examineSettings, findProblems, findProcesses } from '../../cli/doctor/settings.ts'

const flows = 'test/flows/check/wrong/UnknownStep.yaml'

test.each<[string, NodeJS.ProcessEnv, readonly string[]]>([
  ['without settings', {}, []],
  ['a wrong port of one process', { LOCKERFLOW_GATEWAY_PORT: 'http' }, ['gateway LOCKERFLOW_GATEWAY_PORT']],
  [
    'a variable of several processes',
    { LOCKERFLOW_LOG_LEVEL: 'loud' },
    ['service LOCKERFLOW_LOG_LEVEL', 'gateway LOCKERFLOW_LOG_LEVEL', 'worker LOCKERFLOW_LOG_LEVEL'],
  ],
  ['ports of lockerflow dev', { LOCKERFLOW_TEMPORAL_PORT: '0', LOCKERFLOW_CODEC_PORT: '0' }, []],
  [
    'a codec server without keys, beyond loopback',
    {
      LOCKERFLOW_ENVIRONMENT: 'staging',
      LOCKERFLOW_HOST: '0.0.0.0',
      LOCKERFLOW_CODEC_ORIGINS: 'http://127.0.0.1:8233',
    },
    ['codec LOCKERFLOW_CODEC_KEYS', 'codec LOCKERFLOW_HOST'],
  ],
  ['a port of two processes', { LOCKERFLOW_SERVICE_PORT: '8081' }, ['gateway LOCKERFLOW_GATEWAY_PORT']],
  [
    'a port of two listeners of a process',
    { LOCKERFLOW_ENVIRONMENT: 'staging', LOCKERFLOW_FLOW_API_PORT: '8081', LOCKERFLOW_METRICS_PORT: '8083' },
    ['gateway LOCKERFLOW_FLOW_API_PORT'],
  ],
  ['a port of metrics', { LOCKERFLOW_METRICS_PORT: '8081' }, ['service LOCKERFLOW_METRICS_PORT']],
  // Each of them may have a machine of its own.
  ['a port of two processes in staging', { LOCKERFLOW_ENVIRONMENT: 'staging', LOCKERFLOW_SERVICE_PORT: '8081' }, []],
  ['free ports', { LOCKERFLOW_SERVICE_PORT: '0', LOCKERFLOW_GATEWAY_PORT: '0', LOCKERFLOW_FLOW_API_PORT: '0' }, []],
  ['flows with a fault', { LOCKERFLOW_FLOWS: flows }, ['worker LOCKERFLOW_FLOWS']],
  [
    'production with a part of the settings of two processes',
    { LOCKERFLOW_ENVIRONMENT: 'production', LOCKERFLOW_SERVICE_PORT: '1', LOCKERFLOW_GATEWAY_PORT: '2' },
    ['service LOCKERFLOW_DATABASE_URL', 'service LOCKERFLOW_TOPOLOGY', 'gateway LOCKERFLOW_CALLBACK_KEY'],
  ],
])('%s', async (name, source, expected) => {
  const found = await findProblems(findProcesses(source), source)
  const names = found.map(({ process, setting }) => `${process} ${setting}`)
  if (name.startsWith('production')) expect(names).toEqual(expect.arrayContaining([...expected]))
  else expect(names).toEqual(expected)
  for (const { problem } of found) expect(problem).not.toBe('')
})

test('production has the worker, and processes with settings of their own', () => {
  const production = { LOCKERFLOW_ENVIRONMENT: 'production', LOCKERFLOW_SERVICE_PROFILE: 'none' }
  expect(findProcesses(production)).toEqual(['worker'])
  expect(findProcesses({ ...production, LOCKERFLOW_GATEWAY_URL: 'x' })).toEqual(['gateway', 'worker'])
})

describe('the part of the doctor', () => {
  test('names process, setting and the right value, and misspelled variables', async () => {
    const misspelled = { LOCKERFLOW_DATABSE_URL: 'file:a.db', TEMPORAL_ADRESS: 'temporal:7233' }
    const { state, found } = await examineSettings({ environment: { LOCKERFLOW_GATEWAY_PORT: 'http', ...misspelled } })
    expect(state).toBe('wrong')
    expect(found).toMatch(/^gateway LOCKERFLOW_GATEWAY_PORT: must be .*\. Example: LOCKERFLOW_GATEWAY_PORT=8081 /)
    expect(found).toContain(
      'LOCKERFLOW_DATABSE_URL: no process reads this variable. Did you mean "LOCKERFLOW_DATABASE_URL"?',
    )
    expect(found).toContain('TEMPORAL_ADRESS: no process reads this variable. Did you mean "TEMPORAL_ADDRESS"?')
  })

  test('starts nothing and stores no key', async () => {
    const before = existsSync('.lockerflow/callback.key')
    expect(await examineSettings({ environment: {} })).toEqual({
      state: 'ok',
      found: 'valid for service, gateway, worker',
    })
    expect(existsSync('.lockerflow/callback.key')).toBe(before)
  })
})
