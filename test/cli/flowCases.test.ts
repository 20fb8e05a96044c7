import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { childEnvironment } from '../support/childEnvironment.ts'
import { runCommandLine } from '../support/command/processLike.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFile } from '../support/hardware/temporaryFile.ts'
import { temporaryFolder } from '../support/service/temporaryStore.ts'

const stock = `- case: the item goes into stock
  flow: stock
  request: { $example: CreateLocalShipmentAsStock }
  story: [{ dropOff: stock }]
  ends: { outcome: completed }
`
const wrong = stock.replace('the item goes into stock', 'the item is lost').replace('completed', 'expired')

const weekend = `name: weekendStock
summary: An item goes into stock within a working hour.
steps:
  - { name: booking, summary: A locker is booked., book: CreateLocalShipmentAsStock }
  - name: dropOff
    summary: The item comes.
    wait: { stock: WaitForReceiver }
    window: { workingTime: 1h }
    onTimeout: cancel
`
const saturdays = 'default: { hours: { saturday: ["10:00-18:00"] } }\ntimeZone: UTC\n'

/** A shipment of two roles: the item that was placed into stock is the one that is issued. */
const lend = `name: lend
summary: An item goes into stock and to a user.
input: { PupUid: uid, user: uid }
steps:
  - name: booking
    summary: A locker is booked.
    book: CreateLocalShipmentAsStock
    request: { PupUid: { from: input.PupUid }, Dimension: { width: 30, height: 15, length: 40 }, AllowLargerLockers: true, AllowOverflowLockers: false }
  - { name: dropOff, summary: The item comes., wait: { stock: WaitForReceiver }, window: 48h, onTimeout: cancel }
  - name: issuing
    summary: The item is issued.
    book: CreateLocalShipmentAsIssueFromStock
    request: { PriorShipmentUid: { from: stock.shipmentUid }, ToUserUid: { from: input.user } }
  - { name: pickUp, summary: The user comes., wait: { issue: Completed }, window: 3d, onTimeout: ask }
`

const lendRequest = '{ "PupUid": { "$pup": 1 }, "user": { "$user": 1 } }'

const repair = {
  PupUid: { $pup: 1 },
  customerUid: { $user: 1 },
  size: { width: 30, height: 20, length: 40 },
  neededBy: { $in: '10d' },
}
const repairStory = `runs: { printLabel: { returns: { labelNo: L-1 } } }
story:
  - dropOff: intake
  - pickUp: intake
  - { answer: priced, step: quote, fields: { cents: 4900 } }
  - after: 1d
  - { answer: decline, step: offer }
  - dropOff: back
  - pickUp: back
`

interface Report {
  readonly parts: string
  readonly windowFactor?: number
  readonly windowExceptions?: readonly string[]
  readonly passed: boolean
  readonly cases: readonly { readonly case: string; readonly problems: readonly object[] }[]
  readonly coverage: readonly { readonly flow: string; readonly edges: object[]; readonly unseen: object[] }[]
  readonly diagrams?: readonly string[]
}

function flows(...args: string[]) {
  return runCommandLine({}, ['flows', ...args])
}

describe('lockerflow flows test', () => {
  test('exits with 0 if every case passes, on the simulator', async () => {
    const { code, stdout } = await flows('test', temporaryFile('right.yaml', stock))
    expect(stdout).toContain('On the simulator')
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, '1 passed'])
  })

  test.each([
    ['without --flows, names the option', [], ' Name your own flows with --flows.'],
    ['with --flows, names no option', ['--flows', 'test/flows/check/right/repairShop.yaml'], 'got "parcelRetour".'],
  ])('an unknown flow %s', async (_, options, end) => {
    const text = stock.replace('flow: stock', 'flow: parcelRetour')
    const { code, stderr } = await flows('test', temporaryFile('own.yaml', text), ...options)
    expect(code).toBe(1)
    expect(stderr.split(' [UnknownFlow]')[0]?.endsWith(end)).toBe(true)
  })

  test('exits with 1 if a case fails, and names its place on the screen and in the JUnit file', async () => {
    const file = temporaryFile('mixed.yaml', stock + wrong)
    const junit = join(temporaryFolder(), 'junit.xml')
    const { code, stdout } = await flows('test', file, '--junit', junit)
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([1, '1 passed, 1 failed'])
    const problem = 'mixed.yaml:10:20: ends.outcome: '
    expect(stdout).toContain(problem)
    const xml = readFileSync(junit, 'utf8')
    expect(xml).toMatch(/<testsuites tests="2" failures="1" errors="0" skipped="0" /)
    expect(xml).toContain(problem)
  })

  test('prints the report if the JUnit file cannot be written, and names the option and the path', async () => {
    const junit = join(temporaryFolder(), 'missing', 'junit.xml')
    const { code, stdout, stderr } = await flows('test', temporaryFile('right.yaml', stock), '--junit', junit)
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([2, '1 passed'])
    expect(stderr).toContain(`--junit: must be a writable file, got "${junit}" (ENOENT).`)
  })

  test.each([
    ['a case', () => [temporaryFile('faulty.yaml', stock.replace('flow: stock', 'flow: stok'))], 'UnknownFlow'],
    [
      'a flow of --flows',
      () => [temporaryFile('right.yaml', stock), '--flows', temporaryFile('own.yaml', 'name: own')],
      'own',
    ],
  ])('replaces the JUnit file and prints JSON if %s has a fault', async (_name, words, named) => {
    const junit = temporaryFile('junit.xml', 'old')
    const { code, stdout, stderr } = await flows('test', ...words(), '--junit', junit, '--json')
    const { passed, faults, cases } = JSON.parse(stdout)
    expect([code, passed, cases]).toEqual([1, false, []])
    expect(JSON.stringify(faults)).toContain(named)
    expect(stderr).toContain(named)
    const xml = readFileSync(junit, 'utf8')
    expect(xml).toMatch(/<testsuites tests="[1-9]\d*" failures="[1-9]\d*" /)
    expect(xml).toContain(named)
  })

  test('exits with 1 if a path that must be covered is not', async () => {
    const { code, stdout, stderr } = await flows('test', temporaryFile('right.yaml', stock), '--covered')
    expect(stderr).toContain('--covered: each path of a flow must be taken by a case. The report names the paths')
    expect([code, stdout]).toEqual([1, expect.stringContaining('not taken: dropOff → end (cancel)')])
  })

  test('exits with 0 if every path that must be covered is, and with 1 for a flow of --flows without a case', async () => {
    const covered = ['test', 'flows/cases/stock.yaml', '--covered', '--json']
    const own = ['--flows', temporaryFile('weekend.yaml', weekend)]
    const [builtIn, withOwn] = await Promise.all([flows(...covered), flows(...covered, ...own)])
    expect([builtIn.code, withOwn.code]).toEqual([0, 1])
    const { passed, coverage } = JSON.parse(withOwn.stdout) as Report
    expect([passed, coverage.map(({ flow }) => flow)]).toEqual([true, ['stock', 'weekendStock']])
    const [, weekendStock] = coverage
    expect(weekendStock?.unseen).toContainEqual({ step: 'booking', cause: 'reached', next: 'dropOff' })
    expect(weekendStock?.unseen).toHaveLength(weekendStock?.edges.length ?? 0)
  })

  test('runs on real parts, reports the factor of the windows, and draws the paths that no case takes red', async () => {
    const { code, stdout, stderr } = await flows(
      ...['test', temporaryFile('right.yaml', stock), '--real', '--json', '--diagram'],
    )
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const { parts, windowFactor, windowExceptions, passed, cases, coverage, diagrams } = JSON.parse(stdout) as Report
    // An hour takes a sixth of a second.
    expect([parts, windowFactor, passed]).toEqual(['real parts', 1 / 21_600, true])
    expect(windowExceptions).toHaveLength(3)
    expect(cases).toMatchObject([{ case: 'the item goes into stock', problems: [] }])
    const [ways] = coverage
    expect(ways?.unseen).toContainEqual({ step: 'dropOff', cause: 'cancel', next: 'end' })
    expect(ways?.unseen).not.toContainEqual(expect.objectContaining({ cause: 'reached' }))
    expect(diagrams).toHaveLength(1)
    expect(diagrams?.[0]).toMatch(/ {2}booking -->\|reached\| dropOff\n {2}linkStyle \d+ stroke:#2e7d32/)
    expect(diagrams?.[0]).toMatch(/ {2}dropOff -->\|.*cancel.*\| ended\n {2}linkStyle \d+ stroke:#c62828/)
  })

  test('prints each case on real parts at its end, and ends at a signal in the middle of one', async () => {
    const long = stock.replace('the item goes into stock', 'the item comes late').replace('[{', '[{ after: 300d }, {')
    const child = spawn(
      process.execPath,
      [...['cli/lockerflow.ts', 'flows', 'test', temporaryFile('two.yaml', stock + long), '--real']],
      { env: childEnvironment },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    const output = text(child.stdout)
    let printed = ''
    child.stderr.on('data', (chunk: Buffer) => {
      printed += chunk
    })
    await eventually(() => printed.includes('✓ the item goes into stock'))
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    expect(code).toBe(143)
    expect(printed).toContain('flows test: interrupted by SIGTERM')
    expect(await output).toBe('')
  })

  test('exits with 2 for a wrong command line', async () => {
    const { code, stdout, stderr } = await flows('test', 'any.yaml', '--factor', '0.5')
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringContaining('--factor: must be given with --real only.'),
    ])
  })
})

describe('lockerflow flows simulate', () => {
  const request = () => temporaryFile('request.json', '{ "$example": "CreateLocalShipmentAsIssue" }')

  test('prints the story of a run, and what cancelling would leave', async () => {
    const story = temporaryFile('story.yaml', 'story: [{ dropOff: issue }, { after: 1d }, { pickUp: issue }]\n')
    const { code, stdout } = await flows('simulate', 'issue', '--request', request(), '--story', story)
    const sections = stdout.split('\n').filter(line => /^[A-Z]/.test(line))
    expect(sections).toEqual([
      'Time line',
      'Bookings',
      'Timers',
      'Notifications',
      'Answers wanted',
      'Cancelling would leave',
      'End',
    ])
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, '  completed'])
  })

  /** The text was read line by line: nothing is left before the first item is in its locker, and the item after it. */
  test('prints the questions of a repair, and what cancelling would leave after each of its events', async () => {
    const { code, stdout } = await flows(
      ...['simulate', 'repairShop', '--flows', 'examples/repair-shop/flows/repairShop.yaml'],
      ...['--request', temporaryFile('repair.json', JSON.stringify(repair))],
      ...['--story', temporaryFile('story.yaml', repairStory)],
    )
    const expected = readFileSync(join(import.meta.dirname, 'repairSimulation.txt'), 'utf8')
    expect([code, stdout]).toEqual([0, expected])
  })

  test('names a shipment by each of its roles', async () => {
    const files = ['--flows', temporaryFile('lend.yaml', lend), '--request', temporaryFile('lend.json', lendRequest)]
    const story = temporaryFile('story.yaml', 'story: [{ dropOff: stock }]\n')
    const { code, stdout } = await flows('simulate', 'lend', ...files, '--story', story)
    expect([code, stdout]).toEqual([0, expect.stringContaining('callback: stock/issue is ReadyForPickup')])
    expect(stdout).toContain('after 1 event, in pickUp: stock/issue, there is an item in the locker')
  })

  test('exits with 1 if an event is refused', async () => {
    const story = temporaryFile('story.yaml', 'story: [{ decide: extend }]\n')
    const { code, stdout } = await flows('simulate', 'issue', '--request', request(), '--story', story, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout).timeLine).toContainEqual(expect.objectContaining({ kind: 'refused', update: 'decide' }))
  })

  test.each([
    ['without a calendar file, weekdays from nine to five', [], '2027-03-01T09:00:00'],
    ['with the calendar file of the option', ['--calendars'], '2027-03-06T10:00:00'],
  ])('working time ends %s', async (_, options, end) => {
    const calendars = temporaryFile('calendars.yaml', saturdays)
    const stock = temporaryFile('stock.json', '{ "$example": "CreateLocalShipmentAsStock" }')
    const files = ['--flows', temporaryFile('weekend.yaml', weekend), '--request', stock]
    const story = temporaryFile('story.yaml', 'story: [{ after: 14d }]\n')
    const { code, stdout } = await flows(
      ...['simulate', 'weekendStock', ...files, '--story', story, '--json'],
      ...options.flatMap(option => [option, calendars]),
    )
    const { timers } = JSON.parse(stdout) as { timers: { summary: string; until: number }[] }
    const window = timers.find(({ summary }) => summary === 'window of dropOff')
    expect([code, new Date(window?.until ?? 0).toISOString()]).toEqual([0, `${end}.000Z`])
  })

  test('exits with 1 and names the option for a wrong calendar file', async () => {
    const files = ['--request', request(), '--calendars', temporaryFile('calendars.yaml', 'default: { hour: {} }')]
    const { code, stderr } = await flows('simulate', 'issue', ...files)
    expect([code, stderr]).toEqual([1, expect.stringContaining('--calendars: ')])
    expect(stderr).toContain('default.hour: is not a field of calendars.')
  })
})
