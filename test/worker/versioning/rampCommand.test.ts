import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readPromote } from '../../../cli/promote/arguments.ts'
import { childEnvironment } from '../../support/childEnvironment.ts'
import { readCommand } from '../../support/command/commandLine.ts'
import { type Builds, createBuilds } from '../../support/flows/builds.ts'
import type { ChangedBundle } from '../../support/flows/changedBundle.ts'
import { routingOf, startBuild } from '../../support/flows/ramps.ts'
import { bundle } from '../../support/world/bundle.ts'

let builds: Builds
let good: ChangedBundle

beforeAll(async () => {
  builds = await createBuilds()
  good = await bundle()
  await startBuild(builds, 'good', good)
  await builds.promote('good', good)
  await startBuild(builds, 'same', good)
})

afterAll(() => builds.stop())

const routing = () => routingOf(builds)

// One story: each test goes on from the one before.
describe('the command', () => {
  let folder: string
  const command = fileURLToPath(new URL('../../../cli/lockerflow.ts', import.meta.url))

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockerflow-ramp-'))
    writeFileSync(join(folder, 'workflows.js'), good.code)
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function start(buildId: string, ...args: readonly string[]): ChildProcess {
    const { address, namespace } = inject('temporal')
    const env = {
      ...childEnvironment,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      LOCKERFLOW_TASK_QUEUE: builds.world.taskQueue,
      LOCKERFLOW_WORKFLOW_BUNDLE: join(folder, 'workflows.js'),
    }
    const words = ['promote', '--deployment', builds.deploymentName, '--build-id', buildId, ...args]
    return spawn(process.execPath, [command, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  async function run(buildId: string, ...args: readonly string[]) {
    const child = start(buildId, ...args)
    if (child.stdout === null || child.stderr === null) throw new Error('The command has no output.')
    const ended = once(child, 'exit')
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { code: (await ended)[0], stdout, stderr }
  }

  test('that was killed leaves its ramp, which another one finds and names', async () => {
    const killed = start('same', '--ramp', '40,100', '--watch', '10m')
    const name = `${builds.deploymentName}:same`
    if (killed.stderr === null) throw new Error('The command has no output.')
    for await (const line of createInterface(killed.stderr)) if (line === `${name} gets 40 % of the flows`) break
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    expect(await routing()).toEqual({ current: 'good', ramping: 'same', percentage: 40 })

    const { objections } = await builds.promote('other', good, { onlyCheck: true })
    expect(objections.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(
        new RegExp(`^${name} ramps at 40 %. Go on with .* --ramp 100, or end it with .* --roll-back$`),
      ),
    )
    const { code, stdout, stderr } = await run('same', '--ramp', '40,100', '--watch', '1s', '--json')
    expect(stderr).toMatch(new RegExp(`^${name} has ramped at 40 % since .*, and goes on from there$`, 'm'))
    expect(stderr).toMatch(/^Each step is watched for 1s\. Ctrl-C rolls back\.$/m)
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'promoted',
      previous: { buildId: 'good' },
      objections: [],
      steps: [40, 100],
    })
    expect(code).toBe(0)
    expect(await routing()).toEqual({ current: 'same', ramping: undefined, percentage: undefined })
  })

  test('rolls back on request, and on a signal', async () => {
    const interrupted = start('good', '--ramp', '30,100', '--watch', '10m', '--json')
    if (interrupted.stderr === null || interrupted.stdout === null) throw new Error('The command has no output.')
    for await (const line of createInterface(interrupted.stderr)) if (line.endsWith('gets 30 % of the flows')) break
    interrupted.kill('SIGTERM')
    const ended = once(interrupted, 'exit')
    expect(JSON.parse(await text(interrupted.stdout))).toMatchObject({
      outcome: 'rolledBack',
      fault: 'the promotion was interrupted',
    })
    expect((await ended)[0]).toBe(1)
    expect((await routing()).ramping).toBeUndefined()
    const { code, stdout } = await run('good', '--roll-back')
    expect(stdout).toBe(
      `${builds.deploymentName}:good gets no more flows: 0 open flows moved back, 0 open flows reset, 0 open flows left\n`,
    )
    expect(code).toBe(0)
    expect(await run('same', '--roll-back')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/--roll-back: .*:same is current/),
    })
    // A build id with a mistake, while a bad build may still get flows.
    expect(await run('goood', '--roll-back')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/--build-id: must be a build of \S+, got "goood"\. Its builds are good, same\./),
    })
  })

  test.each([
    [
      ['--ramp', '5,3,100'],
      /--ramp: must be ascending percentages that end with 100, such as 5,25,100, got "5,3,100"\./,
    ],
    [['--ramp', '5,25'], /--ramp: must be ascending/],
    [['--ramp', '100', '--watch', 'soon'], /--watch: must be a duration/],
    [['--watch', '5m'], /--watch: must be combined with --ramp/],
    [['--yes'], /--yes: must be combined with --roll-back/],
    [['--ramp', '100', '--check'], /must be given alone/],
  ])('rejects %j', async (args, message) => {
    const build = ['--deployment', 'd', '--build-id', 'b']
    const given = await readCommand('promote', ...build, ...args)
    expect(() => readPromote(given, {})).toThrow(message)
  })
})
