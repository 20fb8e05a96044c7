import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findProblems, findProcesses } from '../../cli/check/actions.ts'
import { startVerb } from '../support/command/verbs.ts'

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
    { LOCKERFLOW_ENVIRONMENT: 'staging', LOCKERFLOW_CODEC_HOST: '0.0.0.0' },
    ['codec LOCKERFLOW_CODEC_KEYS', 'codec LOCKERFLOW_CODEC_HOST'],
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
    'production without anything',
    { LOCKERFLOW_ENVIRONMENT: 'production' },
    ['service LOCKERFLOW_DATABASE_URL', 'service LOCKERFLOW_TOPOLOGY', 'gateway LOCKERFLOW_CALLBACK_KEY'],
  ],
])('%s', async (name, source, expected) => {
  const found = await findProblems(findProcesses(source), source)
  const names = found.map(({ process, setting }) => `${process} ${setting}`)
  if (name.startsWith('production')) expect(names).toEqual(expect.arrayContaining([...expected]))
  else expect(names).toEqual(expected)
  for (const { problem } of found) expect(problem).not.toBe('')
})

describe('the verb', () => {
  test('names process, setting and the right value, and ends with 1', async () => {
    const running = startVerb({ LOCKERFLOW_GATEWAY_PORT: 'http' }, 'check')
    expect(await running.ended).toMatchObject({ exitCode: 1 })
    expect(running.lines[0]).toMatch(
      /^wrong {2}gateway {2}LOCKERFLOW_GATEWAY_PORT: must be .*\. Example: LOCKERFLOW_GATEWAY_PORT=8081$/,
    )
    expect(running.lines.at(-1)).toBe('service, gateway, worker: 1 wrong')
  })

  test('starts nothing and stores no key', async () => {
    const before = existsSync('.lockerflow/callback.key')
    const running = startVerb({}, 'check', '--process', 'gateway')
    expect(await running.ended).toBeUndefined()
    expect(running.values).toEqual([{ processes: ['gateway'], findings: [] }])
    expect(existsSync('.lockerflow/callback.key')).toBe(before)
  })

  test('finds a misspelled variable, and names the right one', async () => {
    const given = { LOCKERFLOW_DATABSE_URL: 'file:a.db', LOCKERFLOW_ANYTHING_ELSE: 'x', LOCKERFLOW_VERSION: '0.2.0' }
    // Temporal's own command reads more variables of this kind.
    const ofTemporal = { TEMPORAL_ADRESS: 'temporal:7233', TEMPORAL_GRPC_META_TEAM: 'x', TEMPORAL_OTHER_THING: 'x' }
    const empty = { LOCKERFLOW_STORE_KEYS_FILE: '', LOCKERFLOW_EMPTY: '' }
    const running = startVerb({ ...given, ...ofTemporal, ...empty }, 'check')
    expect(await running.ended).toMatchObject({ exitCode: 1 })
    expect(running.lines).toEqual([
      'wrong  LOCKERFLOW_ANYTHING_ELSE: no process reads this variable.',
      'wrong  LOCKERFLOW_DATABSE_URL: no process reads this variable. Did you mean "LOCKERFLOW_DATABASE_URL"?',
      'wrong  TEMPORAL_ADRESS: no process reads this variable. Did you mean "TEMPORAL_ADDRESS"?',
      'service, gateway, worker: 3 wrong',
    ])
  })
})
