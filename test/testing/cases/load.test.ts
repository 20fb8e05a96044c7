import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { flows } from '#flows'
import { describeCaseFault, loadCases, loadStory } from '#testing/cases'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-cases-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function load(text: string, name = 'cases.yaml') {
  await writeFile(join(folder, name), text)
  return loadCases([name], { folder, flows })
}

const whole = `
- case: the customer never comes
  flow: issue
  request: { $example: CreateLocalShipmentAsIssue }
  story:
    - dropOff: issue
    - expect: { step: pickUp }
    - after: 3d
    - expect: { step: pickUp, overdue: true, currentDetails: has to decide }
    - decide: cancel
  ends: { outcome: cancelled, leftOver: [{ role: issue, reason: itemInside }] }
- case: the customer comes
  flow: issue
  request: { $example: CreateLocalShipmentAsIssue, ToUserUid: { $user: 2 } }
  story: [{ dropOff: issue }, { pickUp: issue }]
`

describe('a file of cases', () => {
  test('is a list', async () => {
    const { cases, faults } = await load(whole)
    expect(faults).toEqual([])
    expect(cases.map(({ test }) => test.case)).toEqual(['the customer never comes', 'the customer comes'])
    expect(cases[1]?.placeOf(['story', 1])).toEqual({ file: 'cases.yaml', line: 15, column: 31 })
  })

  test('may be JSON, with one case', async () => {
    const text = JSON.stringify({ case: 'booked', flow: 'stock', request: {}, story: [{ cancel: 'not needed' }] })
    expect((await load(text, 'one.json')).cases).toHaveLength(1)
  })

  test('that two patterns name is read once', async () => {
    await writeFile(join(folder, 'cases.yaml'), whole)
    const { cases, faults } = await loadCases(['cases.yaml', 'cases.*ml'], { folder, flows })
    expect(faults).toEqual([])
    expect(cases).toHaveLength(2)
  })

  test('may end with a separator of documents', async () => {
    expect((await load(`---${whole}---\n`)).faults).toEqual([])
  })

  test.each(['[]', '# none', '---\n---\n'])('must contain a case, which %j does not', async text => {
    expect((await load(text)).faults.map(describeCaseFault)).toEqual([
      expect.stringMatching(/^cases\.yaml(:1:1)?: the file: must contain a case or a story\. \[NoCase\]$/),
    ])
  })

  test('must be UTF-8', async () => {
    await writeFile(join(folder, 'cases.yaml'), whole.replace('never', 'növer'), 'latin1')
    expect((await loadCases(['cases.yaml'], { folder })).faults.map(describeCaseFault)).toEqual([
      'cases.yaml: the file: must be a file that can be read: its encoding must be UTF-8. [FileNotRead]',
    ])
  })

  test('must exist', async () => {
    expect((await loadCases(['*.none'], { folder })).faults.map(describeCaseFault)).toEqual([
      '*.none: the file: must match a file. [FileNotRead]',
    ])
  })
})

describe('a fault names its place and the way out', () => {
  const wrong: Readonly<Record<string, readonly [text: string, fault: string]>> = {
    'a word of no story': ['story: [{ dropof: issue }]', '5:11: "c" story[0]: must be one of dropOff, pickUp, '],
    'a word without its value': ['story: [dropOff]', '5:11: "c" story[0]: must be one of '],
    'a further field of a word': [
      'story: [{ dropOff: issue, by: 1 }]',
      '5:33: "c" story[0].by: is not a field of the form. [UnknownField]',
    ],
    'a wrong duration': ['story: [{ after: 2 days }]', '5:20: "c" story[0].after: must be a duration such as '],
    'a refusal and a fault': [
      'story: [{ fail: { call: x, code: A, fault: unavailable } }]',
      '5:13: "c" story[0].fail: must have exactly one of code and fault. [InvalidValue]',
    ],
    'a failure without a cause': [
      'story: [{ fail: { call: x } }]',
      '5:13: "c" story[0].fail: must have exactly one of code and fault. [InvalidValue]',
    ],
    'a role of no booking': [
      'story: [{ dropOff: isue }]',
      '5:22: "c" story[0].dropOff: must be a role of the flow (issue), got "isue". Did you mean "issue"? [UnknownRole]',
    ],
    'a step of another flow': [
      'story: [{ expect: { step: swap } }]',
      '5:29: "c" story[0].expect.step: must be a step of the flow (booking, dropOff, pickUp), got "swap". [UnknownStep]',
    ],
    'a question that the flow does not ask': [
      'story: [{ answer: yes, step: pickUp }]',
      '5:32: "c" story[0].step: must be an ask step, got "pickUp". [UnknownStep]',
    ],
    'an operation of no step': [
      'story: [{ recover: GetAccount }]',
      '5:22: "c" story[0].recover: must be an operation or activity of the flow (CreateLocalShipmentAsIssue), got "GetAccount". [UnknownWork]',
    ],
    'a refusal of another operation': [
      'story: [{ fail: { book: CreateLocalShipmentAsIssue, code: NoLockerAvailabel } }]',
      '5:61: "c" story[0].fail.code: must be a refusal of CreateLocalShipmentAsIssue (InvalidPupUid, InvalidLocker, LockerOutOfService, InvalidDimension, NoLockerAvailable, InvalidUserUid), got "NoLockerAvailabel". Did you mean "NoLockerAvailable"? [UnknownErrorCode]',
    ],
    'an operation of a book step as an activity': [
      'story: [{ fail: { run: CreateLocalShipmentAsIssue, fault: unavailable } }]',
      '5:26: "c" story[0].fail.run: must be an activity of the flow, got "CreateLocalShipmentAsIssue". [UnknownWork]',
    ],
    'a result of an operation': [
      'story: []\n  runs: { CreateLocalShipmentAsIssue: { returns: {} } }',
      '6:11: "c" runs.CreateLocalShipmentAsIssue: must be an activity of the flow, got "CreateLocalShipmentAsIssue". [UnknownWork]',
    ],
    'an operation that ran': [
      'story: []\n  ends: { ran: [CreateLocalShipmentAsIssue] }',
      '6:17: "c" ends.ran[0]: must be an activity of the flow, got "CreateLocalShipmentAsIssue". [UnknownWork]',
    ],
    'an unknown outcome': [
      'story: []\n  ends: { outcome: done }',
      '6:20: "c" ends.outcome: must be one of "completed", "cancelled", "expired", "failed". [InvalidValue]',
    ],
    'a field of no case': [
      'story: []\n  storys: []',
      '6:3: "c" storys: is not a field of the form. Did you mean "story"?',
    ],
    'a name of `before` that is a role': [
      'before: { drill: inStock, issue: announced }\n  story: [{ dropOff: issue }]',
      '5:36: "c" before.issue: must be another name, because "issue" is a role of the flow. [DuplicateName]',
    ],
    'a story that is missing': ['before: {}', '2:3: "c" story: must be given. [MissingField]'],
    'a moment without a zone': [
      'story: [{ at: 2027-03-01T12:00:00 }]',
      '5:17: "c" story[0].at: must be a time such as "2027-03-01T12:00:00Z", or { $in } with a duration. [InvalidValue]',
    ],
    'a story without words': ['story: {}', '5:3: "c" story: must be a list. [InvalidValue]'],
    'a field beside a placeholder': [
      'story: []\n  request: { a: { $user: 1, name: Kim } }',
      '6:35: "c" request.a.name: must not stand beside "$user", which makes the object one value. [UnknownField]',
    ],
    'a length of no extension': [
      'story: [{ decide: keepWaiting, by: 1h }]',
      '5:38: "c" story[0].by: must be given with the decision extend only. [InvalidValue]',
    ],
    'a key that the schema ignores': [
      'before: { __proto__: inStock }\n  story: []',
      '5:24: "c" before.__proto__: must be another name, because every object has a "__proto__". [UnknownField]',
    ],
    'an unknown placeholder in an answer': [
      'story: [{ answer: yes, step: ask, fields: { a: { $usr: 1 } } }]',
      '5:58: "c" story[0].fields.a.$usr: is not a field of the form. Did you mean "$user"? [UnknownField]',
    ],
    'an unknown placeholder in a result': [
      'runs: { print: { returns: { a: [{ $usr: 1 }] } } }\n  story: []',
      '5:43: "c" runs.print.returns.a[0].$usr: is not a field of the form. Did you mean "$user"? [UnknownField]',
    ],
    'an unknown placeholder in an output': [
      'story: []\n  ends: { outputs: { a: { $usr: 1 } } }',
      '6:33: "c" ends.outputs.a.$usr: is not a field of the form. Did you mean "$user"? [UnknownField]',
    ],
    'an unknown placeholder': [
      'story: []\n  request: { a: { $usr: 1 } }',
      '6:25: "c" request.a.$usr: is not a field of the form. Did you mean "$user"? [UnknownField]',
    ],
  }

  test.each(Object.entries(wrong))('%s', async (_, [text, fault]) => {
    const request = text.includes('request:') ? '#' : 'request: {}'
    const { cases, faults } = await load(`\n- case: c\n  flow: issue\n  ${request}\n  ${text}\n`)
    expect(cases).toEqual([])
    expect(faults.map(describeCaseFault)[0]).toContain(`cases.yaml:${fault}`)
  })

  test.each(['RunGivenUp', 'OutputTooLarge'])('an activity that fails with %s, a code of the engine', async code => {
    const story = `[{ fail: { run: importSuggestions, code: ${code} } }]`
    const { cases, faults } = await load(`{ case: c, flow: importAccountSuggestions, request: {}, story: ${story} }`)
    expect(cases).toEqual([])
    expect(faults.map(describeCaseFault)).toEqual([
      `cases.yaml:1:105: "c" story[0].fail.code: must be a code that the activity fails with, but "${code}" is a code of the engine. [UnknownErrorCode]`,
    ])
  })

  test('no activity that fails with a code of its own, or with an invalid result', async () => {
    const fail = (code: string) => `{ fail: { run: importSuggestions, code: ${code} } }`
    const story = `[${fail('FileNotFetched')}, ${fail('InvalidActivityResult')}]`
    const { faults } = await load(`{ case: c, flow: importAccountSuggestions, request: {}, story: ${story} }`)
    expect(faults).toEqual([])
  })

  test('a flow that does not exist', async () => {
    const { faults } = await load('{ case: c, flow: isue, request: {}, story: [] }')
    expect(faults[0]).toMatchObject({ line: 1, column: 18, code: 'UnknownFlow' })
    expect(faults[0]?.message).toContain(
      'must be a built-in flow or one of the declarations that are given, got "isue". Did you mean "issue"?',
    )
  })

  test('a second case of one name', async () => {
    const one = '- { case: c, flow: issue, request: {}, story: [] }\n'
    const { cases, faults } = await load(one + one)
    expect(cases).toHaveLength(1)
    expect(faults).toMatchObject([{ line: 2, column: 11, code: 'DuplicateName' }])
  })

  test('YAML with a key twice', async () => {
    expect((await load('case: a\ncase: b\n')).faults).toMatchObject([{ line: 2, code: 'YamlDuplicateKey' }])
  })
})

describe('a story', () => {
  const read = async (text: string) => {
    await writeFile(join(folder, 'story.yaml'), text)
    return loadStory('story.yaml', folder)
  }

  test('may be the list of words alone', async () => {
    const { story, faults } = await read('[{ dropOff: issue }, { after: 3d }]')
    expect({ story, faults }).toEqual({ story: { story: [{ dropOff: 'issue' }, { after: '3d' }] }, faults: [] })
  })

  test('is the only document of its file', async () => {
    const { story, faults } = await read('[{ dropOff: issue }]\n---\n[{ pickUp: issue }]')
    expect(story).toBeUndefined()
    expect(faults).toMatchObject([{ line: 3, column: 1, code: 'InvalidValue' }])
  })

  test('may have results of activities', async () => {
    const { story } = await read('runs: { print: { returns: { no: 1 }, takes: 2h } }\nstory: []')
    expect(story?.runs?.print).toEqual({ returns: { no: 1 }, takes: '2h' })
  })

  test('has faults with places', async () => {
    const { story, faults } = await read('- dropOff: issue\n- after: soon\n')
    expect(story).toBeUndefined()
    expect(faults).toMatchObject([{ file: 'story.yaml', line: 2, column: 10, code: 'InvalidValue' }])
  })
})
