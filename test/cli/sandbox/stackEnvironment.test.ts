import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeDevFile } from '../../../cli/sandbox/devFile.ts'
import { additionsOf, completeEnvironment } from '../../../cli/sandbox/stackEnvironment.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'

test('the stack of the folder completes the settings of a verb, and not of one that starts a stack', async () => {
  const home = process.cwd()
  const own = temporaryFolder()
  await mkdir(join(own, '.lockerflow'))
  process.chdir(own)
  try {
    const temporal = { address: '127.0.0.1:9', namespace: 'dev' }
    const control = { url: 'http://127.0.0.1:9', token: 'token' }
    const [baseUrl, gatewayUrl] = ['http://127.0.0.1:9', 'http://127.0.0.1:9']
    const stack = { pid: process.pid, baseUrl, clientId: 'acme', clientSecret: 's', gatewayUrl, temporal, control }
    await writeDevFile('.lockerflow', stack)
    expect((await stat(join('.lockerflow', 'dev.json'))).mode & 0o777).toBe(0o600)
    const added = { LOCKERFLOW_BASE_URL: baseUrl, LOCKERFLOW_CLIENT_SECRET: 's', TEMPORAL_NAMESPACE: 'dev' }
    expect(completeEnvironment({}, {})).toMatchObject(added)
    expect(completeEnvironment({ ownStack: true }, {})).toEqual({})
    const other = { LOCKERFLOW_BASE_URL: 'https://b.example' }
    expect(completeEnvironment({}, { ...other })).not.toHaveProperty('LOCKERFLOW_CLIENT_SECRET')
    const ownFlows = { LOCKERFLOW_FLOWS: './flows/*.yaml', LOCKERFLOW_ACTIVITIES: './activities.ts' }
    await writeDevFile('.lockerflow', { ...stack, ownFlows })
    expect(completeEnvironment({}, {})).toMatchObject(ownFlows)
    const others = { LOCKERFLOW_FLOWS: './others/*.yaml' }
    expect(completeEnvironment({}, { ...others })).toMatchObject(others)
    expect(completeEnvironment({}, { ...others })).not.toHaveProperty('LOCKERFLOW_ACTIVITIES')
    await writeFile('codec.keys', 'dev:key')
    await writeDevFile('.lockerflow', { ...stack, codec: { keysFile: join(own, 'codec.keys'), encrypts: true } })
    const keys = { LOCKERFLOW_CODEC_KEYS: 'dev:key', LOCKERFLOW_CODEC: 'on' }
    expect(completeEnvironment({}, {})).toMatchObject(keys)
    for (const elsewhere of [{ TEMPORAL_ADDRESS: 'other:7233' }, { LOCKERFLOW_CODEC_KEYS_FILE: 'own.keys' }])
      expect(completeEnvironment({}, { ...elsewhere })).not.toMatchObject({ LOCKERFLOW_CODEC: 'on' })
  } finally {
    process.chdir(home)
  }
})

describe('the environment takes precedence', () => {
  const variables = {
    LOCKERFLOW_BASE_URL: 'https://a.example',
    LOCKERFLOW_AUTH_URL: 'https://a.example',
    LOCKERFLOW_CLIENT_ID: 'acme',
    LOCKERFLOW_CLIENT_SECRET: 'secret',
    TEMPORAL_NAMESPACE: 'parcels',
  }
  test.each<[string, NodeJS.ProcessEnv, object]>([
    ['nothing set: all come from the stack', {}, variables],
    ['a namespace of its own', { TEMPORAL_NAMESPACE: 'mine' }, { ...variables, TEMPORAL_NAMESPACE: undefined }],
    [
      'another service gets no credentials of the stack',
      { LOCKERFLOW_BASE_URL: 'https://b.example' },
      { LOCKERFLOW_AUTH_URL: 'https://a.example', TEMPORAL_NAMESPACE: 'parcels' },
    ],
    [
      'a secret in a file',
      { LOCKERFLOW_CLIENT_SECRET_FILE: '/run/secrets/client' },
      { ...variables, LOCKERFLOW_CLIENT_SECRET: undefined },
    ],
    ['an empty variable counts as not set', { LOCKERFLOW_CLIENT_ID: '' }, variables],
  ])('%s', (_name, source, expected) =>
    expect(additionsOf(variables, source)).toEqual(JSON.parse(JSON.stringify(expected))),
  )
})
