import { randomUUID } from 'node:crypto'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NativeConnection, Worker } from '@temporalio/worker'
import { describe, expect, inject, test } from 'vitest'
import { loadFlows } from '#flows/check'
import { type FlowsAct, readFlows } from '../../cli/flows/arguments.ts'
import { formatFaults, formatTypes } from '../../cli/flows/report.ts'
import { root } from '../project/sources.ts'
import { readCommand } from '../support/command/commandLine.ts'
import { runCommandLine } from '../support/command/processLike.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFile } from '../support/hardware/temporaryFile.ts'
import { compile } from '../support/release/typeCheck.ts'
import { temporaryFolder } from '../support/service/temporaryStore.ts'
import { installTestRuntime } from '../support/world/runtime.ts'

const right = 'test/flows/check/right/onboardAccount.yaml'
const wrong = 'test/flows/check/wrong/UnknownStep.yaml'

function flows(...args: string[]) {
  return flowsWith({}, ...args)
}

function flowsWith(variables: NodeJS.ProcessEnv, ...args: string[]) {
  return runCommandLine(variables, ['flows', ...args])
}

describe('the command', () => {
  test('prints every fault with its place and page, and exits with 1', async () => {
    const { code, stdout } = await flows('check', right, wrong)
    expect(code).toBe(1)
    expect(stdout.trim().split('\n')).toEqual([
      `${wrong}:6:117: wrong.dropOff.onTimeout.goTo: must name a later step or "end", got "pickup". Did you mean "pickUp"? [UnknownStep] See docs/reference/declaration-faults.md#unknownstep.`,
      '1 flow without a fault: onboarding; 1 fault',
    ])
  })

  test('counts the first of two flows with one name', async () => {
    const again = join(temporaryFolder(), 'again.yaml')
    copyFileSync(right, again)
    const { stdout } = await flows('check', right, again)
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringContaining(
        `onboarding.name: must be unique, but another flow is "onboarding", in ${right}. [NameTaken]`,
      ),
      '1 flow without a fault: onboarding; 1 fault',
    ])
  })

  test('prints the same as JSON', async () => {
    const { code, stdout } = await flows('check', right, wrong, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      flows: ['onboarding'],
      faults: [
        {
          file: wrong,
          line: 6,
          column: 117,
          flow: 'wrong',
          step: 'dropOff',
          path: 'onTimeout.goTo',
          code: 'UnknownStep',
        },
      ],
    })
  })

  test('exits with 2 for a wrong command line', async () => {
    const { code, stderr } = await flows('chekc', right)
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      'flows: verb: must be a verb of lockerflow flows, got "chekc". (Did you mean check?)',
    ])
  })

  test('prints the picture of a flow with its progress', async () => {
    const { code, stdout } = await flows('diagram', 'test/flows/check/right/repairShop.yaml', '--at', 'offer')
    expect(code).toBe(0)
    expect(stdout).toContain('  offer -->|agree| repair\n')
    expect(stdout).toContain('  class intakeBooking,bringIn,fetch,label,quote done\n  class offer current\n')
  })

  test('writes the picture of one flow as SVG', async () => {
    const file = join(temporaryFolder(), 'flow.svg')
    const one = 'test/flows/check/right/repairShop.yaml'
    expect(await flows('diagram', one, '--at', 'offer', '--svg', file)).toMatchObject({ code: 0 })
    const svg = readFileSync(file, 'utf8')
    expect(svg).toContain('<title>repairShop</title>')
    expect([...svg.matchAll(/">([✓▶]?)<\/text><\/g>/g)].map(([, mark]) => mark).join('')).toBe('✓✓✓✓✓▶')
    const { code, stderr } = await flows(
      'diagram',
      one,
      'test/support/flows/parcelReturn/parcelReturn.yaml',
      '--svg',
      file,
    )
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--svg: must be given for one flow, got repairShop, parcelReturn.'),
    ])
  })

  test('refuses a folder, which is not a case number', async () => {
    const { code, stdout, stderr } = await flows('diagram', './test/flows/check/right')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('files: must be files or patterns, but "./test/flows/check/right" is a folder.')
    expect(stderr).toContain('./test/flows/check/right/*.{ts,yaml}')
  })

  test('names the step that is meant', async () => {
    const { code, stdout, stderr } = await flows('diagram', 'test/flows/check/right/repairShop.yaml', '--at', 'offr')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('--at: must be a step of the flow or end, got "offr". Did you mean "offer"?')
  })

  test('knows that a case has no flow, whose name may be that of a file without its ending', async () => {
    const { address, namespace } = inject('temporal')
    const temporal = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }
    const { code, stderr } = await flowsWith(temporal, 'diagram', 'repairShop')
    expect(stderr).toMatch(
      /^flows diagram: No flow has the case number repairShop\. Files end with .+\(UnknownCase\)\n$/s,
    )
    expect(code).toBe(1)
  })

  test.each([
    ['throws a text', "throw 'no printer'", 'must be a module that can be imported, but "FILE" is not: no printer.'],
    [
      'exports no function by name',
      'export default () => ({})',
      'must export functions by name, but "FILE" exports none.',
    ],
    ['has a built-in name', 'export function planFlow() {}', 'must not have the names of built-in ones: planFlow.'],
  ])('refuses a module of --activities as a worker does: one that %s', async (_, program, message) => {
    const file = temporaryFile('activities.ts', program)
    const { code, stderr } = await flows('check', right, '--activities', file)
    expect([code, stderr.split('\n')[0]]).toEqual([2, `flows check: --activities: ${message.replace('FILE', file)}`])
  })

  test('names the module of --activities that cannot be imported', async () => {
    const file = temporaryFile('act.ts', 'export const check = => 1')
    const { code, stderr } = await flows('check', right, '--activities', file)
    expect(code).toBe(2)
    expect(stderr).toContain(`--activities: must be a module that can be imported, but "${file}" is not: `)
  })
})

describe('the command with --connect', () => {
  const queue = `own-${randomUUID()}`
  /** Activities of a team run on the second queue of the worker. */
  const [ownQueue, otherQueue] = [`${queue}-outside`, `other-${randomUUID()}`]
  const declaration = (name: string) => `name: ${name}
summary: A device is checked twice.
input: { device: text }
steps:
  - { name: first, summary: A program checks it., run: checkOnce, with: { device: { from: input.device } }, keep: {}, undo: nothing, timeout: 1m }
  - name: second
    summary: A program in another language checks it.
    run: checkAgain
    taskQueue: ${otherQueue}
    with: { device: { from: input.device } }
    keep: {}
    undo: nothing
    timeout: 1m
`
  function connect(file: string, ...args: string[]) {
    const { address, namespace } = inject('temporal')
    const target = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, LOCKERFLOW_TASK_QUEUE: queue }
    return flowsWith(target, 'check', file, '--connect', ...args)
  }

  test('reports each run step whose task queue no worker polls', async () => {
    const file = temporaryFile('twice.yaml', declaration('twice'))
    const { namespace } = inject('temporal')
    const none = await connect(file, '--json')
    const place = { file, flow: 'twice', code: 'NoPoller', warning: false }
    const text = (queue: string, activity: string) =>
      `must be on a task queue that a worker polls, but no worker polls ${queue} of the namespace ${namespace} for the activity ${activity}.`
    expect([none.code, JSON.parse(none.stdout)]).toEqual([
      1,
      {
        flows: [],
        faults: [
          expect.objectContaining({
            ...place,
            line: 5,
            step: 'first',
            path: 'run',
            message: `twice.first.run: ${text(ownQueue, 'checkOnce')}`,
          }),
          expect.objectContaining({
            ...place,
            line: 9,
            step: 'second',
            path: 'taskQueue',
            docs: 'docs/reference/declaration-faults.md#nopoller',
            message: `twice.second.taskQueue: ${text(otherQueue, 'checkAgain')}`,
          }),
        ],
      },
    ])

    await polling(otherQueue, async () => {
      const one = await connect(file)
      expect([one.code, one.stdout.trim().split('\n')]).toEqual([
        1,
        [
          `${file}:5:56: twice.first.run: ${text(ownQueue, 'checkOnce')} [NoPoller] See docs/reference/declaration-faults.md#nopoller.`,
          '0 flows without a fault; 1 fault',
        ],
      ])
      await polling(ownQueue, async () => {
        expect(await connect(file)).toMatchObject({ code: 0, stdout: '1 flow without a fault: twice; 0 faults\n' })
      })
    })
  })
})

/** Lets a worker without workflows poll the task queue. */
async function polling(taskQueue: string, check: () => Promise<void>): Promise<void> {
  installTestRuntime()
  const { address, namespace } = inject('temporal')
  const connection = await NativeConnection.connect({ address })
  try {
    const activities = { checkOnce: () => ({}), checkAgain: () => ({}) }
    const worker = await Worker.create({ connection, namespace, taskQueue, activities })
    await worker.runUntil(async () => {
      await eventually(async () => {
        const { pollers } = await connection.workflowService.describeTaskQueue({
          namespace,
          taskQueue: { name: taskQueue },
          taskQueueType: 2,
        })
        return pollers.length > 0
      })
      await check()
    })
  } finally {
    await connection.close()
  }
}

test('a simulation reads a request that begins with a byte order mark', async () => {
  const file = temporaryFile('request.json', '\uFEFF{ "$example": "CreateLocalShipmentAsStock" }\r\n')
  const { code, stdout, stderr } = await flows('simulate', 'stock', '--request', file)
  expect([stderr, code]).toEqual(['', 0])
  expect(stdout).toContain('stock: ReadyForDropOff, locker 1 at pup-1')
})

test('the report counts flows and faults', async () => {
  expect(formatFaults(await loadFlows([right], { folder: root }))).toEqual([
    '1 flow without a fault: onboarding; 0 faults',
  ])
})

test('the types of a flow are its literal', async () => {
  const { flows } = await loadFlows([right], { folder: root })
  const text = formatTypes(flows)
  expect(text).toContain('export declare const onboarding: {\n  readonly "name": "onboarding"\n')
  expect(text).toContain('readonly "onError": {\n        readonly "MutationConfigFailed": "continue"\n      }')
})

test('the types of flows compile, whatever their names and summaries are', async () => {
  const { flows } = await loadFlows([right], { folder: root })
  const words = [
    ...'break case catch class const continue debugger default delete do else enum export extends false finally'.split(
      ' ',
    ),
    ...'for function if import in instanceof new null return super switch this throw true try typeof var void'.split(
      ' ',
    ),
    ...'while with implements interface let package private protected public static yield await'.split(' '),
    ...'arguments eval undefined globalThis async of type as any string number object'.split(' '),
  ]
  const named = words.map(name => [name, { ...flows.onboarding, name, summary: 'Ends a comment: */ and goes on.' }])
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'types.ts'), formatTypes(Object.fromEntries(named)))
  const uses = words.map(name => `const ${name}Name: '${name}' = flows.${name}.name`)
  writeFileSync(join(folder, 'use.ts'), `import * as flows from './types.ts'\n${uses.join('\n')}\n`)
  const compilerOptions = {
    ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2024', types: [] },
    allowImportingTsExtensions: true,
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
  expect(await compile(folder)).toBe('')
})

describe('the arguments', () => {
  test.each([
    [['check', 'a', 'b'], { act: 'check', patterns: ['a', 'b'], activities: undefined, at: undefined, connect: false }],
    [
      ['diagram', 'a', '--at', 'x'],
      { act: 'diagram', patterns: ['a'], activities: undefined, at: 'x', connect: false },
    ],
  ])('%j', async (args, expected) => {
    const given = await readCommand('flows', ...args)
    expect(readFlows(given.act as FlowsAct, given)).toEqual(expected)
  })

  test.each([
    [['check'], 'files: must be given.'],
    [['types', 'a', '--connect'], '--connect: must be an option of this verb.'],
    [['test', 'a', '--factor', '0.5'], '--factor: must be given with --real only.'],
    [['simulate', 'stock'], '--request: must be given.'],
  ])('%j is an error', async (args, message) => {
    const reading = readCommand('flows', ...args).then(given => readFlows(given.act as FlowsAct, given))
    await expect(reading).rejects.toMatchObject({ message: expect.stringContaining(message), exitCode: 2 })
  })
})
