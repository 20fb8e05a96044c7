import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { loadFlows } from '#declarations'
import { readArguments } from '../../cli/flows/arguments.ts'
import { formatFaults, formatTypes } from '../../cli/flows/report.ts'
import { root } from '../project/sources.ts'

const run = promisify(execFile)
const right = 'test/declarations/right/onboardAccount.yaml'
const wrong = 'test/declarations/wrong/UnknownStep.yaml'

/** Runs the command as npm does, without the installation. */
function flows(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return run(process.execPath, ['cli/flows.ts', ...args], { cwd: root }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

describe('the command', () => {
  test('prints every fault with its place and page, and exits with 1', async () => {
    const { code, stdout } = await flows('check', right, wrong)
    expect(code).toBe(1)
    expect(stdout.trim().split('\n')).toEqual([
      `${wrong}:6:117: wrong.dropOff.onTimeout.goTo: must name a later step or "end", "pickup" is not one. Did you mean "pickUp"? [UnknownStep] See docs/reference/declaration-faults.md#unknownstep.`,
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
    expect([code, stderr.split('\n')[0]]).toEqual([2, 'flows: verb: must be one of check, types, diagram.'])
  })

  test('prints the picture of a flow with its progress', async () => {
    const { code, stdout } = await flows('diagram', 'test/declarations/right/repairShop.yaml', '--at', 'offer')
    expect(code).toBe(0)
    expect(stdout).toContain('  offer -->|agree| repair\n')
    expect(stdout).toContain('  class intakeBooking,bringIn,fetch,label,quote done\n  class offer current\n')
  })
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

describe('the arguments', () => {
  test.each([
    [['check', 'a', 'b'], { act: 'check', patterns: ['a', 'b'], activities: undefined, at: undefined, json: false }],
    [['diagram', 'a', '--at', 'x'], { act: 'diagram', patterns: ['a'], activities: undefined, at: 'x', json: false }],
  ])('%j', (args, expected) => expect(readArguments(args)).toEqual(expected))

  test.each([
    [[], 'verb: must be one of check, types, diagram.'],
    [['check'], 'files: must be given, such as ./flows/*.yaml.'],
    [['types', 'a', '--json'], '--json: must not be given to types.'],
  ])('%j is an error', (args, message) => expect(() => readArguments(args)).toThrow(message))
})
