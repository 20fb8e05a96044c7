import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Service } from '#service'
import { completeEnvironment } from '../../cli/profiles/complete.ts'
import { additionsOf, profileFile, readProfile, writeProfiles } from '../../cli/profiles/file.ts'
import { writeDevFile } from '../../cli/sandbox/devFile.ts'
import { exampleOf } from '../support/command/examples.ts'
import { runProcess } from '../support/command/process.ts'
import { hasTerminal, keys, runOnTerminal } from '../support/command/terminal.ts'
import { runVerb, startVerb } from '../support/command/verbs.ts'
import { startTestService } from '../support/service/testService.ts'

let folder: string
let service: Service
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  environment = { XDG_CONFIG_HOME: folder }
  service = await startTestService({ recentTraffic: 10 })
})

afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

test.skipIf(!hasTerminal)('login asks on a terminal for what no option gives, and shows no secret', async () => {
  const address = `http://127.0.0.1:${service.port}`
  const config = await mkdtemp(join(folder, 'asked-'))
  const { code, printed } = await runOnTerminal(
    { XDG_CONFIG_HOME: config },
    ['login', 'asked', '--temporal-namespace', 'lockers'],
    [
      ['Address of the service', `${address}${keys.enter}`],
      ['Address of the sign-in', keys.enter],
      ['Client id', keys.enter],
      ['Address of Temporal', `127.0.0.1:7300${keys.enter}`],
      ['Secret of acme', `acme-secret${keys.enter}`],
    ],
  )
  expect([code, printed]).toEqual([0, expect.stringMatching(/profile asked stored in[\s\S]*profile asked is in use/)])
  expect(printed).not.toContain('acme-secret')
  const listed = await runVerb({ XDG_CONFIG_HOME: config }, 'profiles', 'list')
  expect(listed.lines).toEqual([`* asked: acme at ${address}, Temporal 127.0.0.1:7300`])
})

const run = (input: string, ...words: readonly string[]) => runProcess(environment, words, input)

test('login checks and stores a service, and other commands use it by its name', async () => {
  const address = `http://127.0.0.1:${service.port}`
  const login = exampleOf('login', { 'http://127.0.0.1:8080': address })
  expect(await run('wrong-secret\n', ...login)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /Check LOCKERFLOW_CLIENT_ID, LOCKERFLOW_CLIENT_SECRET and LOCKERFLOW_AUTH_URL\.[\s\S]*\(SignInFailed, request id [\w-]+\)/,
    ),
  })
  expect((await runVerb(environment, 'profiles', 'list')).lines).toEqual([])

  const stored = await run('acme-secret\n', ...login, '--json')
  expect(stored).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('"inUse": true') })
  expect(stored.stdout).not.toContain('acme-secret')
  expect((await stat(profileFile(environment))).mode & 0o777).toBe(0o600)

  const listed = await runVerb(environment, 'profiles', 'list')
  expect(listed.lines).toEqual([`* local: acme at ${address}, Temporal 127.0.0.1:7233`])
  expect(JSON.stringify(listed.values)).not.toContain('acme-secret')
  expect(await run('', 'requests', 'tail', '--no-follow', '--profile', 'local')).toMatchObject({ code: 0 })
  expect(await run('', 'requests', 'tail', '--no-follow', '--profile', 'other')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--profile: must be the name of a profile, got "other". Known profiles: local.'),
  })
})

describe('a profile of LOCKERFLOW_PROFILE that does not exist', () => {
  const named = async () => ({ XDG_CONFIG_HOME: await mkdtemp(join(folder, 'named-')), LOCKERFLOW_PROFILE: 'new' })

  test('is created by login, and hinders no verb of profiles and completion', async () => {
    const variables = await named()
    for (const words of [
      ['profiles', 'list'],
      ['completion', 'bash'],
      ['complete', '--', 'flo'],
    ])
      expect(await runProcess(variables, words)).toMatchObject({ code: 0, stderr: '' })
    const login = ['login', 'new', '--offline', '--client-id', 'acme']
    expect(await runProcess(variables, login, 'acme-secret\n')).toMatchObject({ code: 0, stderr: '' })
    expect(readProfile(profileFile(variables), 'new')?.variables).toMatchObject({ LOCKERFLOW_CLIENT_ID: 'acme' })
  })

  test('is named by its variable in other verbs', async () => {
    expect(await runProcess(await named(), ['flow', 'list'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'LOCKERFLOW_PROFILE: must be the name of a profile, got "new". No profile exists yet: lockerflow login adds one.',
      ),
    })
  })
})

describe('a file of profiles', () => {
  const file = () => join(folder, 'other', 'profiles.json')
  const profiles = { a: { LOCKERFLOW_BASE_URL: 'http://a' }, b: { LOCKERFLOW_BASE_URL: 'http://b' } }

  test('has one in use, which `use` changes and `remove` ends', async () => {
    const own = { XDG_CONFIG_HOME: join(folder, 'own') }
    writeProfiles(profileFile(own), { inUse: 'a', profiles })
    expect(readProfile(profileFile(own), undefined)?.name).toBe('a')
    await runVerb(own, 'profiles', 'use', 'b')
    expect(readProfile(profileFile(own), undefined)?.variables).toEqual(profiles.b)
    await runVerb(own, 'profiles', 'remove', 'b')
    expect(readProfile(profileFile(own), undefined)).toBeUndefined()
    const message = 'name: must be the name of a profile, got "b". Known profiles: a.'
    expect(await startVerb(own, 'profiles', 'use', 'b').ended).toMatchObject({ exitCode: 2, message })
    await runVerb(own, 'profiles', 'remove', 'a')
    expect(await startVerb(own, 'profiles', 'use', 'a').ended).toMatchObject({
      message: 'name: must be the name of a profile, got "a". No profile exists yet: lockerflow login adds one.',
    })
  })

  test('has none in use after `leave`, and keeps its profiles', async () => {
    const own = { XDG_CONFIG_HOME: join(folder, 'left') }
    writeProfiles(profileFile(own), { inUse: 'a', profiles })
    const { lines, values } = await runVerb(own, 'profiles', 'leave')
    expect([lines, values]).toEqual([['no profile is in use'], [{ inUse: null }]])
    expect(readProfile(profileFile(own), undefined)).toBeUndefined()
    expect(readProfile(profileFile(own), 'a')?.variables).toEqual(profiles.a)
  })

  test('that other users can read is refused', async () => {
    writeProfiles(file(), { profiles })
    await chmod(file(), 0o644)
    expect(() => readProfile(file(), 'a')).toThrow('must be readable by its owner only')
    await chmod(file(), 0o600)
    expect(readProfile(file(), 'a')?.variables).toEqual(profiles.a)
  })
})

test('the stack of the folder completes the settings of a verb, and not of one that starts a stack', async () => {
  const home = process.cwd()
  const own = join(folder, 'stack')
  await mkdir(join(own, '.lockerflow'), { recursive: true })
  process.chdir(own)
  try {
    const temporal = { address: '127.0.0.1:9', namespace: 'dev' }
    const control = { url: 'http://127.0.0.1:9', token: 'token' }
    const [baseUrl, gatewayUrl] = ['http://127.0.0.1:9', 'http://127.0.0.1:9']
    const stack = { pid: process.pid, baseUrl, clientId: 'acme', clientSecret: 's', gatewayUrl, temporal, control }
    await writeDevFile('.lockerflow', stack)
    expect((await stat(join('.lockerflow', 'dev.json'))).mode & 0o777).toBe(0o600)
    const added = { LOCKERFLOW_BASE_URL: baseUrl, LOCKERFLOW_CLIENT_SECRET: 's', TEMPORAL_NAMESPACE: 'dev' }
    expect(completeEnvironment(undefined, {}, {})).toMatchObject(added)
    expect(completeEnvironment(undefined, { ownStack: true }, {})).toEqual({})
    const other = { LOCKERFLOW_BASE_URL: 'https://b.example' }
    expect(completeEnvironment(undefined, {}, { ...other })).not.toHaveProperty('LOCKERFLOW_CLIENT_SECRET')
    const ownFlows = { LOCKERFLOW_FLOWS: './flows/*.yaml', LOCKERFLOW_ACTIVITIES: './activities.ts' }
    await writeDevFile('.lockerflow', { ...stack, ownFlows })
    expect(completeEnvironment(undefined, {}, {})).toMatchObject(ownFlows)
    const others = { LOCKERFLOW_FLOWS: './others/*.yaml' }
    expect(completeEnvironment(undefined, {}, { ...others })).toMatchObject(others)
    expect(completeEnvironment(undefined, {}, { ...others })).not.toHaveProperty('LOCKERFLOW_ACTIVITIES')
    await writeFile('codec.keys', 'dev:key')
    await writeDevFile('.lockerflow', { ...stack, codec: { keysFile: join(own, 'codec.keys'), encrypts: true } })
    const keys = { LOCKERFLOW_CODEC_KEYS: 'dev:key', LOCKERFLOW_CODEC: 'on' }
    expect(completeEnvironment(undefined, {}, {})).toMatchObject(keys)
    for (const elsewhere of [{ TEMPORAL_ADDRESS: 'other:7233' }, { LOCKERFLOW_CODEC_KEYS_FILE: 'own.keys' }])
      expect(completeEnvironment(undefined, {}, { ...elsewhere })).not.toMatchObject({ LOCKERFLOW_CODEC: 'on' })
    const profile = { XDG_CONFIG_HOME: own }
    writeProfiles(profileFile(profile), { inUse: 'a', profiles: { a: other } })
    expect(completeEnvironment(undefined, {}, profile)).toEqual({ ...profile, ...other })
  } finally {
    process.chdir(home)
  }
})

test('a verb that starts a stack leaves out the profile in use, and takes one that is named', async () => {
  const own = { XDG_CONFIG_HOME: await mkdtemp(join(folder, 'starts-')) }
  const a = { TEMPORAL_ADDRESS: 'temporal.example:7233' }
  writeProfiles(profileFile(own), { inUse: 'a', profiles: { a } })
  expect(completeEnvironment(undefined, {}, { ...own })).toMatchObject(a)
  expect(completeEnvironment(undefined, { ownStack: true }, { ...own })).toEqual(own)
  expect(completeEnvironment('a', { ownStack: true }, { ...own })).toMatchObject(a)
  expect(completeEnvironment(undefined, { ownStack: true }, { ...own, LOCKERFLOW_PROFILE: 'a' })).toMatchObject(a)
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
    ['nothing set: all come from the profile', {}, variables],
    ['a namespace of its own', { TEMPORAL_NAMESPACE: 'mine' }, { ...variables, TEMPORAL_NAMESPACE: undefined }],
    [
      'another service gets no credentials of the profile',
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
