import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { demoTopology } from '#service'
import { postLocally } from '../../cli/callbacks/localReceiver.ts'
import { createProgram } from '../../cli/command/program.ts'
import { groups, verbs } from '../../cli/verbs.ts'
import * as activities from '../../examples/repair-shop/activities.ts'
import { repairShop } from '../../examples/repair-shop/flows/repairShop.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import { newKey } from '../support/codec/keys.ts'
import { readCommand } from '../support/command/commandLine.ts'
import { exampleOf } from '../support/command/examples.ts'
import { startVerb } from '../support/command/verbs.ts'
import { repairUntil, startRepair } from '../support/examples/repairs.ts'
import { type Received, type Receiver, startReceiver } from '../support/servers/callbackReceiver.ts'
import { bundleFile } from '../support/world/bundle.ts'
import { useWorld } from '../support/world/useWorld.ts'

const folder = mkdtempSync(join(tmpdir(), 'lockerflow-test-'))
const databaseUrl = `file:${join(folder, 'service.db')}`
const world = useWorld({ service: { recentTraffic: 10, databaseUrl } })

/** Examples that need a terminal, PostgreSQL or a stack of their own. Other tests run their words. */
const runElsewhere: readonly string[] = [
  ...['dev', 'demo', 'snapshot', 'restore', 'clock advance', 'promote', 'copy', 'login'],
]

/** Examples that run until a signal ends them. */
const processes: readonly string[] = ['service', 'gateway', 'worker', 'codec']

/** Examples that others need, first. */
const first: readonly string[] = ['seed', 'flow start']

/** Examples that print nothing on a machine on which nothing else has happened. */
const silent: readonly string[] = ['flow wait', 'callbacks listen', 'requests tail', 'simulate stories', 'temporal']

/** Examples that a signal ends after this note. */
const untilNote: Readonly<Record<string, RegExp>> = {
  'callbacks listen': /key of the signatures/,
  'simulate stories': /Ctrl-C ends them/,
}

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

const ofFiles = Object.fromEntries(Object.keys(files).map(name => [name, join(folder, name)]))

let environment: NodeJS.ProcessEnv
let receiver: Receiver

beforeAll(async () => {
  const { address, namespace } = inject('temporal')
  const service = `http://127.0.0.1:${world.service.port}`
  environment = {
    XDG_CONFIG_HOME: folder,
    XDG_STATE_HOME: folder,
    LOCKERFLOW_DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    LOCKERFLOW_TASK_QUEUE: world.taskQueue,
    LOCKERFLOW_BASE_URL: service,
    LOCKERFLOW_AUTH_URL: service,
    LOCKERFLOW_CLIENT_ID: 'acme',
    LOCKERFLOW_CLIENT_SECRET: 'acme-secret',
    LOCKERFLOW_WORKFLOW_BUNDLE: await bundleFile(),
    ...{ LOCKERFLOW_SERVICE_PORT: '0', LOCKERFLOW_GATEWAY_PORT: '0', LOCKERFLOW_TEMPORAL_PORT: '0' },
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  receiver = await startReceiver()
  process.env.LABEL_FOLDER = folder
  await world.restartWorker({ flows: [repairShop], activities })
})

afterAll(async () => {
  delete process.env.LABEL_FOLDER
  await receiver.stop()
  rmSync(folder, { recursive: true, force: true })
})

const local = 'http://127.0.0.1:3000/callbacks'

/** Makes the things that an example needs. Returns the words of the test in place of those of the example. */
const preparations: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  async 'flow answer'() {
    const caseNo = await startRepair(world)
    await repairUntil(world, caseNo, 'quote')
    return { 'R-1': caseNo }
  },
  person: async () => ({ 'user-1': world.userUid }),
  'callbacks listen': async () => ({ [local]: receiver.url }),
  'callbacks replay': async () => ({ [local]: receiver.url }),
  async 'callbacks verify'() {
    // One that the example of callbacks replay has posted, signed again with the key of this example.
    const [
      {
        body,
        message: { shipmentUid },
      },
    ] = receiver.received as [Received]
    const before = receiver.received.length
    await postLocally(receiver.url, '0123456789abcdef', { messageId: 'msg_1', shipmentUid, body })
    const received = receiver.received[before]
    writeFileSync(join(folder, 'headers.txt'), JSON.stringify(received?.headers))
    writeFileSync(join(folder, 'body.json'), received?.body ?? '')
    return { 'headers.txt': join(folder, 'headers.txt'), 'body.json': join(folder, 'body.json') }
  },
}

/** Settings that only some of the verbs need. */
const settings: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  codec: { LOCKERFLOW_CODEC_KEYS: newKey('a'), LOCKERFLOW_CODEC_PORT: '0' },
  // The embedded store belongs to one process.
  service: { LOCKERFLOW_DATABASE_URL: `file:${join(folder, 'other.db')}` },
  gateway: { LOCKERFLOW_CLIENT_ID: 'globex', LOCKERFLOW_CLIENT_SECRET: 'globex-secret' },
}

/** The lines with which processes are ready. */
const ready: Readonly<Record<string, object>> = {
  service: { address: expect.stringMatching(/^http/), environment: 'staging' },
  gateway: { callbacks: expect.stringMatching(/^http.*callbacks$/) },
  worker: { taskQueue: expect.any(String), namespace: expect.any(String), temporalAddress: expect.any(String) },
  codec: { decode: expect.stringMatching(/^http.*decode$/) },
}

/** Verbs that write into the folder of the process, with the folder. */
const inFolder: Readonly<Record<string, string>> = { init: folder, 'init flow': join(folder, 'my-lockers') }

describe('the example', () => {
  test.each(verbs.map(verb => [verb.name, verb] as const))('of %s is a command line of it', async (name, verb) => {
    const { verb: found } = await readCommand(...exampleOf(name))
    expect(found.name).toBe(name)
    // Its help is that of the other program.
    if (verb.passThrough) return
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

  const running = verbs
    .filter(({ name }) => !runElsewhere.includes(name) && !processes.includes(name))
    .toSorted((a, b) => Number(first.includes(b.name)) - Number(first.includes(a.name)))

  test.each(running.map(verb => [verb.name] as const))('of %s runs', async name => {
    const prepared = await preparations[name]?.()
    const before = world.cases.size
    const words = exampleOf(name, { ...ofFiles, ...prepared })
    const home = process.cwd()
    if (inFolder[name] !== undefined) process.chdir(inFolder[name])
    const verb = startVerb({ ...environment, ...settings[name] }, ...words)
    const note = untilNote[name]
    if (note !== undefined) {
      await verb.note(note)
      verb.interrupt()
    }
    const failure = await verb.ended.finally(() => process.chdir(home))
    expect({ code: failure?.exitCode ?? 0, message: failure?.message }).toMatchObject({ code: exitCodes[name] ?? 0 })
    if (!silent.includes(name)) expect(verb.values).not.toEqual([])
    for (const value of verb.values) expect(JSON.parse(JSON.stringify(value))).toBeTypeOf('object')
    if (before > 0) for (const caseNo of world.cases.keys()) await world.flows.cancel(caseNo, 'over')
  })

  test.each(processes)('of %s runs until a signal, and is ready with a line of JSON', async name => {
    const child = spawn(process.execPath, ['cli/lockerflow.ts', ...exampleOf(name), '--json'], {
      env: { ...childEnvironment, ...environment, ...settings[name] },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let complaint = ''
    child.stderr.on('data', chunk => {
      complaint += String(chunk)
    })
    const exited = once(child, 'exit')
    const ended = exited.then(() => {
      throw new Error(complaint)
    })
    const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
    expect(JSON.parse(line)).toMatchObject(ready[name] ?? {})
    child.kill('SIGTERM')
    ended.catch(() => undefined)
    const [code, signal] = await exited
    expect([code, signal]).toEqual([0, null])
  })
})
