import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { flows as builtIn, type Cause, type FlowDeclaration, type When } from '#flows'
import { checkFlows, edgesOf, edgesOn, loadFlows } from '#flows/check'
import type { Step } from '#flows/declaration'
import { root } from '../../project/sources.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'

const folder = join(root, 'test/flows/check/right')

test.each(readdirSync(folder))('the declaration of %s has no fault', async file => {
  const { flows, faults, files } = await loadFlows([file], { folder })
  expect(faults).toEqual([])
  expect(Object.values(files)).toEqual([file])
  expect(Object.keys(flows)).toHaveLength(1)
})

test('a pattern names files, and no folders', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'parts.yaml'))
  writeFileSync(join(folder, 'parts.yaml', 'issue.json'), JSON.stringify(builtIn.issue))
  const { files, faults } = await loadFlows(['./**'], { folder })
  expect([files, faults]).toEqual([{ issue: join('parts.yaml', 'issue.json') }, []])
  const alone = await loadFlows(['./*.yaml'], { folder })
  expect(alone.faults.map(({ message }) => message)).toEqual(['the declaration: must match a file.'])
})

test('the flows of the project have no fault', () => {
  expect(checkFlows(Object.values(builtIn))).toEqual([])
})

test('a role whose shipment holds an item may be kept', () => {
  const [booking, dropOff, pickUp] = builtIn.issue.steps
  const steps = [booking, dropOff, { ...pickUp, keep: ['issue'] }]
  expect(checkFlows([{ ...builtIn.issue, name: 'keeping', steps }])).toEqual([])
})

test('a step may end by an instant after one answer, and by a date after another', () => {
  const ask = { summary: 'A person answers.', who: 'staff', onTimeout: 'cancel' } as const
  const visit: Step = { ...ask, name: 'visit', ask: { hour: { at: 'instant' }, day: { at: 'date' } }, window: '1d' }
  const fitting: Step = { ...ask, name: 'fitting', ask: { fits: {} }, window: { at: 'visit.at', after: '1d' } }
  const flow = { name: 'visits', summary: 'A visit.', input: {}, steps: [visit, fitting], outputs: { visit: 'visit' } }
  expect(checkFlows([flow])).toEqual([])
})

describe('the paths of a flow of a hundred steps', () => {
  const ask = (name: string, answers: readonly string[]): Step => ({
    name,
    summary: 'A person answers.',
    who: 'staff',
    ask: Object.fromEntries(answers.map(answer => [answer, {}])),
    window: '3d',
    onTimeout: 'remind',
  })
  const rest = (name: string, when: When): Step => ({ name, summary: 'The flow rests.', when, sleep: '1h' })
  const withSteps = (steps: readonly Step[]) => ({
    ...builtIn.issue,
    name: 'long',
    steps: [...builtIn.issue.steps, ...steps],
  })

  test('with 48 comparisons are explored', () => {
    const pairs = Array.from({ length: 48 }, (_, at) => [
      ask(`ask${at}`, ['yes', 'no', 'later']),
      rest(`rest${at}`, { [`ask${at}.answer`]: 'yes' }),
    ]).flat()
    const long = withSteps([...pairs, rest('last', { 'ask47.answer': 'no' })])
    expect(long.steps).toHaveLength(100)
    expect(checkFlows([long])).toEqual([])
    expect(edgesOf(long)).toContainEqual({ step: 'ask47', cause: 'answer:later', next: 'rest47' })
    const contradiction = rest('never', { all: [{ 'ask47.answer': 'no' }, { 'ask47.answer': 'yes' }] })
    const faults = checkFlows([withSteps([...pairs, contradiction])])
    expect(faults.map(({ code, step }) => [code, step])).toEqual([['StepUnreachable', 'never']])
  })

  test('are explored with twelve answers to each of four questions', () => {
    const answers = Array.from({ length: 12 }, (_, at) => `a${at}`)
    const steps = ['one', 'two', 'three', 'four'].flatMap(name => [
      ask(name, answers),
      ...answers.map(answer => rest(`${name}${answer}`, { [`${name}.answer`]: answer })),
    ])
    expect(checkFlows([withSteps(steps)])).toEqual([])
  })
})

describe('a file', () => {
  test('that is not UTF-8 is a fault, and empty documents are ignored', async () => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'lockerflow-flows-'))
    const text = readFileSync(join(folder, 'thresholds.yaml'), 'utf8').replace('repair', 'Rückgabe')
    await writeFile(join(temporary.path, 'latin1.yaml'), text, 'latin1')
    await writeFile(join(temporary.path, 'utf8.yaml'), `\uFEFF---\r\n${text.replaceAll('\n', '\r\n')}---\r\n`)
    const { flows, faults } = await loadFlows(['latin1.yaml', 'utf8.yaml'], { folder: temporary.path })
    expect(faults.map(({ file, code }) => [file, code])).toEqual([['latin1.yaml', 'FileNotRead']])
    expect(flows.thresholds?.summary).toMatch('Rückgabe')
  })

  test('that is missing is a fault', async () => {
    const { faults } = await loadFlows(['none.yaml', 'none/*.yaml', 'right.test.txt'], { folder })
    expect(faults.map(({ code, file }) => [code, file])).toEqual([
      ['FileNotRead', 'none.yaml'],
      ['FileNotRead', 'none/*.yaml'],
      ['FileNotRead', 'right.test.txt'],
    ])
  })

  test.skipIf(process.platform === 'win32')('that is no regular file is a fault, and so is a large one', async () => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'lockerflow-flows-'))
    const at = (name: string) => join(temporary.path, name)
    execFileSync('mkfifo', [at('pipe.yaml'), at('pipe.ts')])
    for (const name of ['zero.yaml', 'zero.ts']) symlinkSync('/dev/zero', at(name))
    for (const name of ['large.yaml', 'large.ts']) writeFileSync(at(name), ' '.repeat(2_000_001))
    const { faults } = await loadFlows(['pipe.*', 'zero.*', 'large.*'], { folder: temporary.path })
    const isNone = 'must be a file that can be read: it must be a regular file.'
    const isLarge = 'must be a file that can be read: it must have at most 2 MB.'
    expect(faults.map(({ file, message }) => `${file} ${message}`)).toEqual([
      ...['pipe.ts', 'pipe.yaml', 'zero.ts', 'zero.yaml'].map(name => `${name} the declaration: ${isNone}`),
      ...['large.ts', 'large.yaml'].map(name => `${name} the declaration: ${isLarge}`),
    ])
  })

  const bounded = 'have at most 200 characters and 3 braces, without ranges such as {1..9}.'

  test.each([
    ['{a,b}'.repeat(4), bounded],
    [`{${'{a,b}'.repeat(3)}`, bounded],
    ['{1..9999999}.yaml', bounded],
    [`{${'a,'.repeat(100)}}`, bounded],
    ['{a,b}/{../c,d{e,f}}.yaml', 'match a file.'],
    ['*.txt', 'match at most 1000 files.'],
  ])('of the pattern %s is a fault: it must %s', async (pattern, must) => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'lockerflow-flows-'))
    for (let index = 0; index <= 1_000; index++) writeFileSync(join(temporary.path, `${index}.txt`), '')
    const { faults } = await loadFlows([pattern], { folder: temporary.path })
    expect(faults.map(({ message }) => message)).toEqual([`the declaration: must ${must}`])
  })

  test('whose name has the characters of a pattern is read by its name', async () => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'lockerflow-flows-'))
    const text = readFileSync(join(folder, 'thresholds.yaml'), 'utf8')
    await writeFile(join(temporary.path, 'thresholds [new] {1}.yaml'), text)
    const load = (pattern: string) => loadFlows([pattern], { folder: temporary.path })
    expect(await load('thresholds [new] {1}.yaml')).toMatchObject({ faults: [], flows: { thresholds: {} } })
    expect(await load('thresholds [[]new] [{]1}.yaml')).toMatchObject({ faults: [], flows: { thresholds: {} } })
  })

  test('that exports a promise beside a flow has a fault for it', async () => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'lockerflow-flows-'))
    const flow = JSON.stringify({ ...builtIn.stock, name: 'awaited' })
    const other = JSON.stringify({ ...builtIn.stock, name: 'promised' })
    await writeFile(
      join(temporary.path, 'flows.mjs'),
      `export const awaited = ${flow}\nexport const promised = Promise.resolve(${other})\nexport const list = [promised]\n`,
    )
    const { flows, faults } = await loadFlows(['flows.mjs'], { folder: temporary.path })
    expect(Object.keys(flows)).toEqual(['awaited'])
    expect(faults.map(({ code, message, file }) => [code, message, file])).toEqual([
      ['NotJson', 'the declaration: must be an object, not a promise. Await it in the module.', 'flows.mjs'],
    ])
  })

  test('that two patterns name is read once', async () => {
    const { flows, faults } = await loadFlows(['repairShop.yaml', '*.{yaml,yml}'], { folder })
    expect(faults).toEqual([])
    const names = [
      'answerOfAComparison',
      'bothFreed',
      'casesOfAnswers',
      'declined',
      'errorThatLeadsOn',
      'existingRole',
      'falseOfTwoTypes',
      'fieldOfTwoTypes',
      'flagOfTwoTypes',
      'keyHandover',
      'leavesUntil',
      'mergedRequest',
      'moments',
      'nullInAMerge',
      'onboarding',
      'orInAMerge',
      'orders',
      'otherErrors',
      'presentByNot',
      'presentField',
      'questionsInCases',
      'refitting',
      'repairShop',
      'rolesInCases',
      'runsInCases',
      'scanning',
      'tellCollector',
      'thresholds',
    ]
    expect(Object.keys(flows).sort()).toEqual(names)
  })
})

describe('a value in memory', () => {
  test.each([
    [null, 'InvalidValue'],
    [undefined, 'NotJson'],
    ['issue', 'InvalidValue'],
    [[], 'InvalidValue'],
    [{ ...builtIn.issue, summary: () => 'now' }, 'NotJson'],
    [{ ...builtIn.issue, when: new Date(0) }, 'NotJson'],
  ])('%s is one fault, and no exception', (value, code) => {
    expect(checkFlows([value]).map(fault => fault.code)).toEqual([code])
  })

  // Copied level by level, it would fill the memory.
  test('has a fault at each part that is the whole', () => {
    const whole: { [field: string]: unknown } = { name: 'whole', summary: 'Time passes.' }
    whole.steps = [{ parent: whole }, { parent: whole }]
    const text = 'must be a value that JSON can represent, not a part of itself.'
    expect(checkFlows([whole]).map(({ message }) => message)).toEqual([
      `whole.steps[0].parent: ${text}`,
      `whole.steps[1].parent: ${text}`,
    ])
  })

  test('is checked against the activities of the worker, unless another queue has them', () => {
    const step = {
      name: 'label',
      summary: 'A label is printed.',
      run: 'printLabel',
      with: {},
      keep: {},
      timeout: '30s',
    }
    const flow = (more: object) => ({ ...builtIn.issue, steps: [...builtIn.issue.steps, { ...step, ...more }] })
    const activities = ['printLabels']
    expect(checkFlows([flow({ undo: 'voidLabel' })], { activities }).map(({ message }) => message)).toEqual([
      'issue.label.run: must be an activity of this worker, or the step must have a taskQueue: "printLabel" is not registered. Did you mean "printLabels"?',
      'issue.label.undo: must be an activity of this worker, { leaves } or "nothing", or the step must have a taskQueue: "voidLabel" is not registered.',
    ])
    expect(checkFlows([flow({ undo: 'nothing', taskQueue: 'labels' })], { activities })).toEqual([])
    const [short] = checkFlows([flow({ run: 'b2', undo: 'nothing' })], { activities: ['q', 'r'] })
    expect(short?.message).toMatch(/"b2" is not registered\.$/)
  })
})

test('the edges of a flow name every path between its steps', () => {
  const edges = (edgesOf(builtIn.collectByUser) ?? []).map(({ step, cause, next }) => `${step} ${cause} ${next}`)
  expect(edges).toEqual([
    'booking reached collect',
    'booking cancel end',
    'collect ask.extend collect',
    'collect ask.keepWaiting collect',
    'collect reached kept',
    'collect skipped kept',
    'collect ask.cancel end',
    'collect cancel end',
    'collect cancelledOutside end',
    'kept answer:release free',
    'kept skipped free',
    'kept cancel end',
    'kept cancelledOutside end',
    'free cancel end',
    'free error:InvalidShipmentState end',
    'free reached end',
    'free skipped end',
  ])
})

test('an edge that a run took includes the steps that its plan left out', () => {
  const flow = {
    name: 'longWay',
    summary: 'A person decides.',
    input: { isShort: 'boolean' },
    steps: [
      { name: 'offer', summary: 'Asks.', ask: { yes: {} }, who: 'customer', window: '1d', onTimeout: { goTo: 'rest' } },
      { name: 'repair', summary: 'Works.', sleep: '1d' },
      { name: 'rest', summary: 'Waits.', when: { 'input.isShort': false }, sleep: '1d' },
      { name: 'last', summary: 'Waits.', when: { 'input.isShort': false }, sleep: '1d' },
    ],
  } as const satisfies FlowDeclaration
  const on = (...edge: [step: number, cause: Cause, next: number | null]) => {
    const [step, cause, next] = edge
    return edgesOn(flow, { step, cause, next }).map(({ step, cause, next }) => `${step} ${cause} ${next}`)
  }
  expect(on(0, 'answer:yes', 1)).toEqual(['offer answer:yes repair'])
  expect(on(0, 'timeout.goTo', null)).toEqual(['offer timeout.goTo rest', 'rest skipped last', 'last skipped end'])
  expect(on(1, 'reached', null)).toEqual(['repair reached rest', 'rest skipped last', 'last skipped end'])
  expect(on(1, 'cancel', null)).toEqual(['repair cancel end'])
  expect(on(2, 'reached', 3)).toEqual(['rest reached last'])
})
