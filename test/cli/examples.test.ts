import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { demoTopology } from '#service'
import { createProgram } from '../../cli/command/program.ts'
import type { Verb } from '../../cli/command/verb.ts'
import { profileFile, writeProfiles } from '../../cli/profiles/file.ts'
import { groups, verbs } from '../../cli/verbs/index.ts'
import { readCommand } from '../support/command/commandLine.ts'
import { startVerb } from '../support/command/verbs.ts'
import { useWorld } from '../support/world/useWorld.ts'

const folder = mkdtempSync(join(tmpdir(), 'lockerflow-test-'))
const databaseUrl = `file:${join(folder, 'service.db')}`
const world = useWorld({ service: { recentTraffic: 10, databaseUrl } })

/** Examples that need another process, a terminal or a flow of their own, with the tests of their verbs. */
const runElsewhere: Readonly<Record<string, string>> = {
  dev: 'test/cli/devAndDemo.test.ts',
  demo: 'test/cli/devAndDemo.test.ts',
  service: 'test/service/stopping.test.ts',
  gateway: 'test/gateway/process.test.ts',
  worker: 'test/worker/metrics.test.ts',
  codec: 'test/codecServer/server.test.ts',
  hardware: 'test/hardware/process.test.ts',
  'hardware check': 'test/hardware/check.test.ts',
  promote: 'test/worker/versioning/promote.test.ts',
  replay: 'test/worker/versioning/changedWorkflows.test.ts',
  copy: 'test/service/store/postgres/copy.test.ts',
  'secrets rotate': 'test/service/encryption',
  'secrets reseal': 'test/codec',
  forget: 'test/codec',
  login: 'test/cli/profiles.test.ts',
  complete: 'test/cli/completion.test.ts',
}

/** Examples whose verbs have tests of their own: they need a case, a snapshot, a receiver or an empty folder. */
const needsMore =
  /^(init.*|flow (assign|release|answer)|callbacks (listen|replay|verify|resend)|snapshot|restore|clock advance)$/

/** Examples that others need, first. */
const first: readonly string[] = ['seed', 'flow start']

/** Exit codes other than 0: the flow of the example is still running when its second is over. */
const exitCodes: Readonly<Record<string, number>> = { 'flow wait': 4, 'flow watch': 4 }

/** Files of the examples, by the word that names them. */
const files: Readonly<Record<string, string>> = {
  'topology.yaml': JSON.stringify(demoTopology),
  'stock.json': JSON.stringify({
    PupUid: 'pup-1',
    AllowLargerLockers: true,
    AllowOverflowLockers: false,
    Dimension: { width: 30, height: 15, length: 40 },
  }),
}

let environment: NodeJS.ProcessEnv

beforeAll(() => {
  const { address, namespace } = inject('temporal')
  const service = `http://127.0.0.1:${world.service.port}`
  environment = {
    XDG_CONFIG_HOME: folder,
    LOCKERFLOW_DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    LOCKERFLOW_TASK_QUEUE: world.taskQueue,
    LOCKERFLOW_BASE_URL: service,
    LOCKERFLOW_AUTH_URL: service,
    LOCKERFLOW_CLIENT_ID: 'acme',
    LOCKERFLOW_CLIENT_SECRET: 'acme-secret',
    ...{ LOCKERFLOW_SERVICE_PORT: '0', LOCKERFLOW_GATEWAY_PORT: '0', LOCKERFLOW_TEMPORAL_PORT: '0' },
  }
  writeProfiles(profileFile(environment), { profiles: { local: { LOCKERFLOW_BASE_URL: service } } })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The words after `lockerflow`, without the quotes of the shell. */
function wordsOf({ example }: Verb): string[] {
  const [, line = ''] = /(?:^|\| )lockerflow (.*)$/.exec(example) ?? []
  return Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '')
}

describe('the example', () => {
  test.each(verbs.map(verb => [verb.name, verb] as const))('of %s is a command line of it', async (name, verb) => {
    const { verb: found } = await readCommand(...wordsOf(verb))
    expect(found.name).toBe(name)
    const texts: string[] = []
    const write = (text: string) => void texts.push(text)
    const program = createProgram([verb], groups, { start: async () => undefined })
    for (const command of [program, ...program.commands, ...program.commands.flatMap(each => each.commands)])
      command.configureOutput({ writeOut: write })
    await program
      .parseAsync([...name.split(' '), '--help'], { from: 'user' })
      .catch(error => expect(error.exitCode).toBe(0))
    expect(texts.join('')).toContain(`$ ${verb.example}`)
  })

  test('that runs elsewhere has its tests there', () => {
    expect(Object.values(runElsewhere).filter(path => !existsSync(path))).toEqual([])
    expect(Object.keys(runElsewhere).filter(name => !verbs.some(verb => verb.name === name))).toEqual([])
  })

  const running = verbs
    .filter(({ name }) => !Object.hasOwn(runElsewhere, name) && !needsMore.test(name))
    .toSorted((a, b) => Number(first.includes(b.name)) - Number(first.includes(a.name)))

  test.each(running.map(verb => [verb.name, verb] as const))('of %s runs', async (name, verb) => {
    const words = wordsOf(verb).map(word => (Object.hasOwn(files, word) ? join(folder, word) : word))
    const failure = await startVerb(environment, ...words).ended
    expect({ code: failure?.exitCode ?? 0, message: failure?.message }).toMatchObject({ code: exitCodes[name] ?? 0 })
  })
})
