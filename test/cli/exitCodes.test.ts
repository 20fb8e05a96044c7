import { execFile, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { startService } from '#service'
import { CommandFailure } from '../../cli/command/failure.ts'
import { runCommand } from '../../cli/command/run.ts'
import { verbs } from '../../cli/verbs.ts'
import { root } from '../project/sources.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import { exampleOf } from '../support/command/examples.ts'
import { runCommandLine } from '../support/command/processLike.ts'
import { temporaryFile } from '../support/service/temporaryStore.ts'
import { startTestService } from '../support/service/testService.ts'
import { topology } from '../support/service/topology.ts'
import { silentLog } from '../support/world/settings.ts'

interface Printed {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly remedy: string
    readonly exitCode: number
  }
}

// The words after `temporal` are another program's.
const named = verbs.flatMap(({ name, passThrough }) => (passThrough ? [] : [[name] as const]))
const withFields = verbs.filter(({ fields }) => fields).map(({ name }) => name)

/** Runs a command line that fails, and expects one line of JSON on standard error and none on standard output. */
async function failureOf(environment: NodeJS.ProcessEnv, ...words: readonly string[]) {
  const { code, stdout, stderr } = await runCommandLine(environment, [...words, '--json'])
  expect(stdout).toBe('')
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as Printed
  expect(error.exitCode).toBe(code)
  return error
}

test('0 with the version of the packages', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/lockerflow/package.json'), 'utf8'))
  expect(await runCommandLine({}, ['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` })
})

test.each([
  ['help', 'Usage: lockerflow '],
  ['help clients', 'Usage: lockerflow clients '],
  ['flow help start', 'Usage: lockerflow flow start '],
  ['help flow start', 'Usage: lockerflow flow start '],
  ['flow help', 'Usage: lockerflow flow '],
  ['help call CreateLocalShipmentAsStock', 'Usage: lockerflow call '],
])('0 with the help of "%s"', async (words, usage) => {
  const { code, stdout, stderr } = await runCommandLine({}, words.split(' '))
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(usage)
})

test.each([
  ['flow cancel', '--reason <text>', '(required without --resume)'],
  ['flow start', '--case <number>', '(required)'],
  ['person', '--user <uid>', '(required)'],
])('the help of "%s" marks %s as %s', async (verb, flags, mark) => {
  const { stdout } = await runCommandLine({}, ['help', ...verb.split(' ')])
  const [, text = ''] = stdout.split(`  ${flags}`)
  const [own = ''] = text.split(/\n {2}-/)
  expect(own.replaceAll(/\s+/g, ' ')).toContain(mark)
})

test('the help fits a terminal of 80 columns', async () => {
  const { stdout } = await runCommandLine({}, ['help'])
  expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([])
})

describe('2, used wrongly:', () => {
  test.each(named)('%s with an option that it has not', async name => {
    // A verb with fields takes them from the options that it does not declare.
    const words = withFields.includes(name) ? [...name.split(' ')] : [...name.split(' '), '--no-such-option']
    expect(await failureOf({}, ...words)).toMatchObject({
      code: 'InvalidArguments',
      message: expect.stringMatching(/^(--)?[\w-]+: must be /),
      remedy: `Run lockerflow ${name} --help.`,
      exitCode: 2,
    })
  })

  test.each([
    ['the sign-in', { LOCKERFLOW_BASE_URL: 'nowhere' }, ['call', 'GetPickUpPoints']],
    ['the service', { LOCKERFLOW_SERVICE_PORT: 'http' }, ['service']],
    ['the gateway', { LOCKERFLOW_GATEWAY_PORT: 'http' }, ['gateway']],
    ['the worker', { LOCKERFLOW_POLL_INTERVAL: 'soon' }, ['worker']],
    ['the codec server', { LOCKERFLOW_CODEC_PORT: 'http' }, ['codec']],
    ['the flows', { LOCKERFLOW_CODEC_KEYS: 'none' }, ['flow', 'list']],
    ['a store that is missing', { LOCKERFLOW_DATABASE_URL: 'file:none.db' }, ['clients', 'list']],
    ['a store that is another file', { LOCKERFLOW_DATABASE_URL: 'file:package.json' }, ['audit', 'export']],
  ])('a wrong setting of %s', async (_part, environment, words) => {
    expect(await failureOf(environment, ...words)).toMatchObject({
      code: 'InvalidSettings',
      message: expect.stringMatching(/LOCKERFLOW_\w+: /),
      exitCode: 2,
    })
  })

  test.each([
    ['file', ['topology', 'none.yaml']],
    ['files', ['replay', 'none.json']],
    ['--activities', ['flows', 'check', 'flow.yaml', '--activities', 'none.ts']],
    ['--calendars', ['flows', 'test', 'cases.yaml', '--calendars', 'none.yaml']],
    ['--calendars', ['flows', 'simulate', 'stock', '--request', 'none.json', '--calendars', 'none.yaml']],
    ['--request', ['flows', 'simulate', 'stock', '--request', 'none.json']],
  ])('%s that cannot be read: %j', async (argument, words) => {
    expect(await failureOf({}, ...words)).toMatchObject({
      code: 'InvalidArguments',
      message: expect.stringMatching(
        new RegExp(`^${argument}: must be a file that can be read, but "none\\.\\w+" is not: `),
      ),
      exitCode: 2,
    })
  })

  test.each([
    ['file', ['topology', 'cli', '--apply']],
    ['from', ['copy', 'file:cli', 'postgres://user@127.0.0.1:2/store']],
    ['headers', ['callbacks', 'verify', 'cli']],
    ['--activities', ['flows', 'check', 'flow.yaml', '--activities', 'cli']],
    ['--calendars', ['flows', 'test', 'cases.yaml', '--calendars', 'cli']],
    ['--request', ['flows', 'simulate', 'stock', '--request', 'cli']],
  ])('%s that is a folder: %j', async (argument, words) => {
    expect(await failureOf({}, ...words)).toMatchObject({
      code: 'InvalidArguments',
      message: `${argument}: must be a file, but "cli" is a folder.`,
      exitCode: 2,
    })
  })

  test.each([
    ['', 'is empty, and must have the lists tenants and pickUpPoints'],
    ['- tenants\n', 'must have the lists tenants and pickUpPoints'],
    ['tenant: []\n', 'tenants is missing; pickUpPoints is missing; must not have "tenant"'],
    ['tenants: [\n', 'cannot be read: .+'],
  ])('a topology file with %j', async (content, problem) => {
    const path = temporaryFile().replace(/^file:/, '')
    writeFileSync(path, content)
    expect(await failureOf({}, 'topology', path)).toMatchObject({
      code: 'InvalidArguments',
      message: expect.stringMatching(new RegExp(`^file: ${path}: ${problem}\\.$`)),
      remedy: `Correct it, then look again: lockerflow topology ${path}.`,
      exitCode: 2,
    })
  })

  // `Date.parse` accepts each of them.
  test.each([
    ['--start', ['flows', 'simulate', 'stock', '--request', 'package.json', '--start', '2']],
    ['--start', ['flows', 'simulate', 'stock', '--request', 'package.json', '--start', '1 March']],
    ['--at', ['callbacks', 'verify', 'package.json', 'package.json', '--key', 'x', '--at', '2']],
    ['--since', ['callbacks', 'list', '--since', '2']],
  ])('%s that is not a moment: %j', async (option, words) => {
    expect(await failureOf({}, ...words)).toMatchObject({
      code: 'InvalidArguments',
      message: expect.stringMatching(new RegExp(`^${option}: must be a time such as .*, got "${words.at(-1)}"\\.$`)),
      exitCode: 2,
    })
  })

  // No Temporal runs at this address.
  test.each([
    [['flow', 'list', '--where', 'overdu']],
    [['flow', 'decide', '--where', 'overdu', '--by', '24h', '--yes']],
    [['flow', 'cancel', '--where', 'overdu', '--reason', 'x', '--yes']],
  ])('--where that is not a condition: %j', async words => {
    expect(await failureOf({ TEMPORAL_ADDRESS: '127.0.0.1:2' }, ...words)).toMatchObject({
      code: 'InvalidArguments',
      message: expect.stringMatching(/^--where: must compare one of case, .*, got "overdu"\.$/),
      exitCode: 2,
    })
  })

  // A cancellation that was to be shown only would be done.
  test.each([
    ['--dry-run', ['flow', 'cancel', 'L-1', '--reason', 'x', '--dry-run']],
    ['--dry-run', ['flow', 'decide', '--resume', 'report.jsonl', '--dry-run']],
    ['--report', ['flow', 'decide', 'L-1', '--decision', 'cancel', '--report', 'report.jsonl']],
    ['--rate', ['flow', 'cancel', 'L-1', '--reason', 'x', '--rate', '5']],
    ['--where', ['flow', 'decide', '--where', 'overdue', '--resume', 'report.jsonl']],
    ['--by', ['flow', 'decide', '--resume', 'report.jsonl', '--by', '24h']],
    ['--reason', ['flow', 'cancel', '--resume', 'report.jsonl', '--reason', 'x']],
    ['duration', ['clock', 'advance', 'soon']],
    ['--wait', ['simulate', 'journey', 'L-1', '--wait', 'soon']],
    ['--settle', ['simulate', 'journey', 'L-1', '--settle', 'soon']],
    ['--only', ['simulate', 'journey', 'L-1', '--only', 'x']],
    ['--wait', ['simulate', 'journey', 'L-1', '--story', 'story.yaml', '--wait', '1s']],
    ['--settle', ['simulate', 'journey', 'L-1', '--story', 'story.yaml', '--settle', '1s']],
    ['--message', ['callbacks', 'resend', 'm-1', '--message', 'm-2']],
    ['name', ['snapshot', 'first', '--list']],
    ['--adopt', ['sweep', '--schedule', 'off', '--adopt']],
    ['--cancel', ['sweep', '--schedule', 'off', '--cancel']],
    ['--case', ['sweep', '--schedule', 'off', '--case', 'L-1']],
    ['--at', ['flows', 'diagram', 'test/flows/check/right/repairShop.yaml', '--at', 'offr']],
    ['--at', ['flows', 'diagram', 'L-1', '--at', 'offer']],
    ['--activities', ['flows', 'check', 'test/flows/check/right/repairShop.yaml', '--activities', 'README.md']],
  ])('%s that is invalid beside the others: %j', async (option, words) => {
    expect(await failureOf({}, ...words)).toMatchObject({
      code: 'InvalidArguments',
      message: expect.stringMatching(new RegExp(`^${option}: must (not )?be `)),
      exitCode: 2,
    })
  })

  test.each([
    ['--out-of-service', ['lockers', '--pup', 'square', '--out-of-service', ' ']],
    ['client id', ['clients', 'add', 'two words', '--tenant', 'acme']],
    ['--tenant', ['audit', 'export', '--tenant', 'acne']],
    ['--key', ['clients', 'revoke', '--key', 'none']],
    ['--tenant', ['audit', 'collect', '--tenant', 'acne']],
    ['--tenant', ['callbacks', 'list', '--tenant', 'acne']],
    ['--tenant', ['callbacks', 'resend', '--dead', '--tenant', 'acne']],
  ])('%s that no store has: %j', async (argument, words) => {
    const databaseUrl = temporaryFile()
    const service = await startTestService({ databaseUrl, topology })
    onTestFinished(() => service.stop())
    const { address: TEMPORAL_ADDRESS, namespace: TEMPORAL_NAMESPACE } = inject('temporal')
    const environment = { LOCKERFLOW_DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE }
    expect(await failureOf(environment, ...words)).toMatchObject({
      code: 'InvalidArguments',
      message: expect.stringMatching(new RegExp(`^${argument}: must `)),
      exitCode: 2,
    })
  })

  test.each([
    ['--tenant', ['audit', 'export', '--tenant', 'acme', '--tenant', 'globex']],
    ['--user', ['person', '--erase', '--user', 'user-1', '--user', 'user-2']],
  ])('%s that is given twice: %j', async (option, words) => {
    expect(await failureOf({}, ...words)).toMatchObject({
      code: 'InvalidArguments',
      message: `${option}: must be given once.`,
      exitCode: 2,
    })
  })

  test.each([
    ['nope', 'lockerflow', ' (Did you mean copy?)'],
    ['help nope', 'lockerflow', ' (Did you mean copy?)'],
    ['flow nope', 'lockerflow flow', ''],
    ['flow help nope', 'lockerflow flow', ''],
    ['help flow nope', 'lockerflow flow', ''],
    ['clients revok', 'lockerflow clients', ' (Did you mean revoke?)'],
  ])('"%s", which names a verb that the group lacks', async (words, group, suggestion) => {
    const { code, stdout, stderr } = await runCommandLine({}, words.split(' '))
    const name = group.split(' ').at(-1)
    const word = words.split(' ').at(-1)
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      `${name}: verb: must be a verb of ${group}, got "${word}".${suggestion}\n  Run ${group} --help.\n  (InvalidArguments)\n`,
    ])
  })

  test.each([
    ['init flw x', 'arguments: must be at most 1, got 2. The verbs of lockerflow init are flow.'],
    ['simulate a b c', 'arguments: must be at most 2, got 3. The verbs of lockerflow simulate are journey, stories.'],
    ['flow wait a b', 'arguments: must be at most 1, got 2.'],
  ])('"%s" with a word too many after a verb', async (words, message) => {
    expect(await failureOf({}, ...words.split(' '))).toMatchObject({ code: 'InvalidArguments', message, exitCode: 2 })
  })

  test.each([
    ['--json', 'lockerflow', '--json'],
    ['--json flow list', 'lockerflow', '--json'],
    ['clock --json', 'clock', '--json'],
    ['flow --where overdue list', 'flow', '--where'],
    ['--versoin', 'lockerflow', '--versoin'],
  ])('"%s" with an option before its verb', async (words, group, option) => {
    const { code, stdout, stderr } = await runCommandLine({}, words.split(' '))
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringContaining(words.includes('--json') ? '"code":"InvalidArguments"' : `${group}: `),
    ])
    expect(stderr).toContain(`verb: must be given before ${option}.`)
  })

  test('a group without a verb prints its verbs', async () => {
    const { code, stderr } = await runCommandLine({}, ['clients'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('Usage: lockerflow clients')])
    expect(stderr).toMatch(
      /\nclients: one of these verbs must follow\.\n {2}Run lockerflow clients --help\.\n {2}\(InvalidArguments\)\n$/,
    )
  })
})

describe('after a signal, 128 plus its number, with code and remedy:', () => {
  const failures = {
    'of the verb': new CommandFailure('StillPending', 'one of two is done.', { exitCode: 4, remedy: 'Go on.' }),
    'of its code': new Error('interrupted by SIGINT'),
  }
  const expected = {
    'of the verb': ['one of two is done.', 'Go on.'],
    'of its code': ['interrupted by SIGINT', 'Run the command again.'],
  } as const

  /** Prints the failure of a verb that a signal has ended. */
  async function interrupt(failure: Error, ...words: readonly string[]) {
    let printed = ''
    const run = () => Promise.reject(failure)
    const code = await runCommand(['wait', ...words], {
      verbs: [{ name: 'wait', summary: 'Waits.', example: 'lockerflow wait', load: async () => ({ run }) }],
      groups: {},
      readEnvironment: () => ({}),
      interruption: { signal: AbortSignal.abort(), isUsed: true, exitCode: 130, stopTimeout: 0 },
      streams: {
        stdout: { write: () => true },
        stderr: {
          write(text) {
            printed += text
          },
        },
      },
    })
    expect(code).toBe(130)
    return printed
  }

  test.each(Object.keys(failures) as (keyof typeof failures)[])('the remedy %s', async kind => {
    const [message, remedy] = expected[kind]
    expect(await interrupt(failures[kind])).toBe(`wait: ${message}\n  ${remedy}\n  (Interrupted)\n`)
    expect(JSON.parse(await interrupt(failures[kind], '--json'))).toEqual({
      error: { code: 'Interrupted', message, remedy, exitCode: 130 },
    })
  })
})

test('after SIGTERM, a rotation of secrets that has not ended', async () => {
  const databaseUrl = temporaryFile()
  await (await startService({ databaseUrl, log: silentLog })).stop()
  const env = { ...childEnvironment, LOCKERFLOW_DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, ['cli/lockerflow.ts', 'secrets', '--rotate'], { cwd: root, env })
  let printed = ''
  child.stderr.on('data', chunk => {
    printed += chunk
    if (printed.includes('A rotation takes')) child.kill('SIGTERM')
  })
  expect(await once(child, 'close')).toEqual([143, null])
  expect(printed).toContain('secrets: interrupted by SIGTERM')
  expect(printed).toContain('(Interrupted)')
})

describe('3, not reachable:', () => {
  // A free port of the usual range could be taken by another test meanwhile.
  const address = '127.0.0.1:2'
  const away = {
    TEMPORAL_ADDRESS: address,
    LOCKERFLOW_BASE_URL: `http://${address}`,
    LOCKERFLOW_AUTH_URL: `http://${address}`,
    LOCKERFLOW_DATABASE_URL: `postgres://lockerflow@${address}/lockerflow`,
  }

  const ofService = [
    ...['call', 'callbacks listen', 'callbacks list', 'callbacks resend', 'callbacks replay'],
    ...['simulate', 'simulate journey', 'simulate stories', 'seed', 'requests tail'],
  ]
  const ofStore = ['clients list', 'lockers', 'audit export', 'person', 'secrets']
  // Temporal's client tries for ten seconds, so they run at once.
  const ofTemporal = ['flow start', 'flow status', 'flow watch', 'flow list', 'flow cancel', 'sweep', 'audit collect']

  test.each([...ofService, ...ofStore])('%s', async name => {
    expect(await failureOf(away, ...exampleOf(name))).toMatchObject({
      code: expect.stringMatching(/^(NotReachable|NoResponse|ServiceUnreachable)$/),
      remedy: expect.stringMatching(/\w/),
      exitCode: 3,
    })
  })

  test('the verbs of flows', async () => {
    const failures = await Promise.all(ofTemporal.map(async name => [name, await failureOf(away, ...exampleOf(name))]))
    expect(failures).toEqual(
      ofTemporal.map(name => [name, expect.objectContaining({ code: 'NotReachable', exitCode: 3 })]),
    )
  })
})

const nowhere = 'http://127.0.0.1:9'
const wrongPort = {
  ...{ LOCKERFLOW_GATEWAY_PORT: 'http', TEMPORAL_ADDRESS: '127.0.0.1:9' },
  ...{ LOCKERFLOW_BASE_URL: nowhere, LOCKERFLOW_AUTH_URL: nowhere },
}

test('1, results of which one is a failure: with code and remedy', async () => {
  const { code, stdout, stderr } = await runCommandLine(wrongPort, ['doctor'])
  expect([code, stdout]).toEqual([1, expect.stringContaining('LOCKERFLOW_GATEWAY_PORT')])
  expect(stderr).toBe(
    'doctor: the output above lists the problems.\n  Correct it, then run the command again.\n  (CommandFailed)\n',
  )
})

describe('a standard output', () => {
  /** Runs a verb with a file as its standard output. */
  async function runInto(output: string, ...words: readonly string[]) {
    const stdio: StdioOptions = ['ignore', openSync(output, 'w'), 'pipe']
    const child = spawn(process.execPath, ['cli/lockerflow.ts', ...words], { cwd: root, env: childEnvironment, stdio })
    if (child.stderr === null) throw new Error('no standard error')
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    return { code, stderr }
  }

  test.skipIf(process.platform !== 'linux')('on a full disk is a failure with its reason', async () => {
    const { code, stderr } = await runInto('/dev/full', 'flows', 'types', 'test/flows/check/right/repairShop.yaml')
    expect(stderr).toMatch(/^lockerflow: the standard output cannot be written: ENOSPC/)
    expect(code).toBe(1)
  })
})

describe('colours', () => {
  const terminal = { isTTY: true, hasColors: () => true }
  const sequence = '\u001b['

  test('are for terminals only, and not with --json', async () => {
    expect((await runCommandLine(wrongPort, ['doctor'], { terminal })).stdout).toContain(sequence)
    expect((await runCommandLine(wrongPort, ['doctor'])).stdout).not.toContain(sequence)
    expect((await runCommandLine(wrongPort, ['doctor', '--json'], { terminal })).stdout).not.toContain(sequence)
  })

  // `script` gives the program a terminal.
  test.skipIf(!existsSync('/usr/bin/script'))('are switched off by NO_COLOR', async () => {
    const command = `'${process.execPath}' cli/lockerflow.ts doctor`
    const run = async (more: object) => {
      const env = { ...childEnvironment, ...wrongPort, TERM: 'xterm-256color', ...more }
      const { stdout } = await promisify(execFile)('script', ['-qc', command, '/dev/null'], { env })
      return stdout.includes(sequence)
    }
    expect(await Promise.all([run({}), run({ NO_COLOR: '1' })])).toEqual([true, false])
  })
})
