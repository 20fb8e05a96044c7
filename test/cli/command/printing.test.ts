import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CommandFailure } from '../../../cli/command/failure.ts'
import { createInterruption } from '../../../cli/command/interruption.ts'
import type { Output } from '../../../cli/command/output.ts'
import { runCommand } from '../../../cli/command/run.ts'
import { runCommandLine } from '../../support/command/processLike.ts'
import { seeded } from '../../support/seed.ts'
import { json, raw, startStandIn, tokenBody } from '../../support/servers/apiStandIn.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'

/** A value that begins a line of GitHub's log, moves the cursor, hides a text and turns it round. */
const hostile = 'a\n::error::b\r\u001b[2J\u001b[31m\u0085\u009b1A\u202e\u2066\u2028\u2029\u0000\u007f\ufeff'
const forbidden = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/u

const values = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom(...hostile, '\t', '\\', '"', 'é', '👩‍🔧', '\u001b[1m', '\u001b]0;x\u0007'))
    .map(parts => parts.join('')),
)

/** The printed lines, none of which has a character that a terminal acts on. */
function linesOf(printed: string): string[] {
  const lines = printed.split('\n')
  expect(lines.pop()).toBe('')
  for (const line of lines) expect(line).not.toMatch(forbidden)
  return lines
}

/** Prints by a verb of its own. */
async function print(run: (output: Output) => void, { words = [], isTerminal = false }: PrintOptions = {}) {
  const printed = { stdout: '', stderr: '' }
  const streamOf = (name: 'stdout' | 'stderr') => ({
    isTTY: isTerminal,
    hasColors: () => isTerminal,
    write: (text: string) => {
      printed[name] += text
    },
  })
  const load = async () => ({ run: async ({ output }: { output: Output }) => run(output) })
  await runCommand(['print', ...words], {
    verbs: [{ name: 'print', summary: 'Prints.', example: 'lockerflow print', load }],
    groups: {},
    readEnvironment: () => ({}),
    interruption: createInterruption(),
    streams: { stdout: streamOf('stdout'), stderr: streamOf('stderr') },
  })
  return printed
}

interface PrintOptions {
  readonly words?: readonly string[]
  readonly isTerminal?: boolean
}

describe('whatever a value has,', () => {
  const check = (property: (list: string[]) => Promise<void>) =>
    fc.assert(fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 4 }), property), seeded(200))

  test('each text is one line', () =>
    check(async list => {
      const { stdout, stderr } = await print(output => {
        output.result({}, () => list)
        output.item({}, () => list)
        output.note(list)
      })
      expect(linesOf(stdout)).toHaveLength(2 * list.length)
      expect(linesOf(stderr)).toHaveLength(list.length)
    }))

  test('a failure has its own lines only', () =>
    check(async list => {
      const failure = new CommandFailure('Broken', list, { exitCode: 1, remedy: list[0], requestId: list[0] })
      const { stderr } = await print(() => {
        throw failure
      })
      expect(linesOf(stderr)).toHaveLength(list.length + 2)
      const foreign = await print(() => {
        throw new Error(`x${list[0]}`)
      })
      expect(linesOf(foreign.stderr)).toHaveLength(3)
    }))

  test('JSON has the value', () =>
    check(async list => {
      const words = ['--json']
      const { stdout } = await print(output => output.result({ [String(list[0])]: list }, () => []), { words })
      linesOf(stdout)
      expect(JSON.parse(stdout)).toEqual({ [String(list[0])]: list })
      const items = await print(output => list.forEach(each => void output.item(each, () => '')), { words })
      expect(linesOf(items.stdout).map(line => JSON.parse(line))).toEqual(list)
      const failed = await print(
        () => {
          throw new CommandFailure('Broken', list, { exitCode: 1 })
        },
        { words },
      )
      expect(linesOf(failed.stderr).map(line => JSON.parse(line).error.message)).toEqual([list.join('\n')])
    }))

  test('only the colours of the command reach a terminal', () =>
    check(async list => {
      const { stdout } = await print(
        output => output.result({}, () => list.map(each => `${each} ${output.style('red', each)}`)),
        { isTerminal: true },
      )
      const [red, end] = ['\u001b[31m', '\u001b[39m']
      expect(stdout.split(red)).toHaveLength(list.length + 1)
      expect(linesOf(stdout.replaceAll(red, '').replaceAll(end, ''))).toHaveLength(list.length)
    }))
})

describe('a verb prints hostile values as text:', () => {
  /** @param body a list for a stream of its entries */
  async function serving(body: unknown) {
    const service = await startStandIn()
    onTestFinished(() => service.stop())
    service.token = json(200, tokenBody())
    service.operation = Array.isArray(body)
      ? raw(200, body.map(each => `${JSON.stringify(each)}\n`).join(''))
      : json(200, body)
    const { url } = service
    const credentials = { LOCKERFLOW_CLIENT_ID: 'acme', LOCKERFLOW_CLIENT_SECRET: 'acme-secret' }
    return { LOCKERFLOW_BASE_URL: url, LOCKERFLOW_AUTH_URL: url, ...credentials }
  }

  const request = {
    at: hostile,
    status: 409,
    errorCode: hostile,
    operation: hostile,
    caseNo: hostile,
    shipmentUid: hostile,
    durationMs: 1,
    requestId: hostile,
  }
  const message = JSON.stringify({ shipmentUid: hostile, stateCode: hostile, referenceCaseNo: hostile })
  const callback = { ...request, messageId: hostile, body: message, delivered: false, answer: hostile, failures: 1 }
  const refusal = { success: false, error: hostile, message: hostile }

  test.each([
    ['call', ['call', 'GetPickUpPoints'], { success: true, error: null, message: null, [hostile]: hostile }],
    ['call, refused', ['call', 'GetPickUpPoints'], refusal],
    ['requests tail', ['requests', 'tail', '--no-follow'], [request]],
    ['callbacks list', ['callbacks', 'list'], [{ callbackUrl: hostile }, callback]],
  ] as const)('%s', async (_, words, body) => {
    const environment = await serving(body)
    for (const more of [[], ['--json']]) {
      const { stdout, stderr } = await runCommandLine(environment, [...words, ...more])
      const lines = [stdout, stderr].filter(Boolean).flatMap(linesOf)
      expect(lines.join()).toContain('::error::b')
      expect(lines.filter(line => line.trim().startsWith('::'))).toEqual([])
    }
  })

  test('flows check, flows diagram and callbacks verify', async () => {
    const folder = temporaryFolder()
    const flow = { name: hostile, summary: hostile, steps: [{ name: hostile, [hostile]: hostile }], [hostile]: hostile }
    const [flows, headers, body] = ['flow.json', 'headers.json', 'body'].map(name => join(folder, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(flows, JSON.stringify(flow))
    writeFileSync(
      headers,
      JSON.stringify({ 'webhook-id': hostile, 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' }),
    )
    writeFileSync(body, message)
    const verify = ['callbacks', 'verify', headers, body, '--key', 'choose-32-random-characters-here']
    for (const words of [['flows', 'check', flows], ['flows', 'diagram', flows], verify]) {
      const { stdout, stderr } = await runCommandLine({}, words)
      const lines = [stdout, stderr].filter(Boolean).flatMap(linesOf)
      expect(lines.length).toBeGreaterThan(1)
      expect(lines.filter(line => line.trim().startsWith('::'))).toEqual([])
    }
  })
})
