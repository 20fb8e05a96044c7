import { isOperationName, operations } from '#contract'
import { endsFlow, type FieldPath, suggest } from '#declarations'
import { rolesOf } from '#flows'
import type { FlowDeclaration, Step } from '#flows/declaration'
import type { TestCase } from '../format/case.ts'
import type { CaseFaultCode, CaseFinding } from '../format/fault.ts'
import type { Fail, StoryWord } from '../format/words.ts'

/** Checks the names of flows, steps, roles, answers and activities in a case. */
export function checkReferences(test: TestCase, flows: Readonly<Record<string, FlowDeclaration>>): CaseFinding[] {
  const flow = Object.hasOwn(flows, test.flow) ? flows[test.flow] : undefined
  if (flow === undefined) {
    const given = 'a built-in flow or one of the declarations that are given'
    return [unknown(['flow'], 'UnknownFlow', given, test.flow, Object.keys(flows))]
  }
  const before = Object.keys(test.before ?? {})
  const names = new Names(flow, before)
  const { ends = {}, runs = {} } = test
  return [
    ...before.flatMap(name => names.beforeFlow(name, ['before', name])),
    ...test.story.flatMap((word, index) => names.inWord(word, ['story', index])),
    ...Object.keys(runs).flatMap(run => names.work(run, ['runs', run], 'run')),
    ...Object.keys(ends.bookings ?? {}).flatMap(role => names.role(role, ['ends', 'bookings', role])),
    ...(ends.leftOver ?? []).flatMap(({ role, step }, index) => [
      ...(role === undefined ? [] : names.role(role, ['ends', 'leftOver', index, 'role'])),
      ...(step === undefined ? [] : names.step(step, ['ends', 'leftOver', index, 'step'])),
    ]),
    ...(ends.ran ?? []).flatMap((run, index) => names.work(run, ['ends', 'ran', index], 'run')),
  ]
}

type AnswerWord = Extract<StoryWord, { answer: string }>

const roleVerbs = [
  'dropOff',
  'pickUp',
  'cancelShipment',
  'setReceiver',
  'release',
  'loseCallbacks',
  'deliverCallbacks',
] as const

const kindsOfWork = {
  book: 'an operation of a book step of the flow',
  call: 'an operation of a call step of the flow',
  run: 'an activity of the flow',
  any: 'an operation or activity of the flow',
} as const

/** The names that a flow has. */
class Names {
  readonly #steps: readonly Step[]
  readonly #booked: readonly string[]
  readonly #roles: readonly string[]
  readonly #works: readonly Work[]

  constructor(flow: FlowDeclaration, before: readonly string[]) {
    this.#steps = flow.steps
    this.#booked = Object.keys(rolesOf(flow))
    this.#roles = [...this.#booked, ...before]
    this.#works = flow.steps.flatMap(worksOf)
  }

  inWord(word: StoryWord, at: FieldPath): CaseFinding[] {
    for (const verb of roleVerbs) {
      if (verb in word) return this.role(Reflect.get(word, verb), [...at, verb])
    }
    if ('answer' in word) return this.#answer(word, at)
    if ('fail' in word) return this.#fail(word.fail, [...at, 'fail'])
    if ('recover' in word) return this.work(word.recover, [...at, 'recover'])
    if (!('expect' in word)) return []
    const { step, shipments = {} } = word.expect
    return [
      ...(step === undefined ? [] : this.step(step, [...at, 'expect', 'step'])),
      ...Object.keys(shipments).flatMap(role => this.role(role, [...at, 'expect', 'shipments', role])),
    ]
  }

  /** The activity of a team can fail with any code, except those of the engine. */
  #fail({ book, call, run, code }: Fail, at: FieldPath): CaseFinding[] {
    const kind = run !== undefined ? 'run' : call !== undefined ? 'call' : 'book'
    const work = book ?? call ?? run ?? ''
    const wrong = this.work(work, [...at, kind], kind)
    if (wrong.length > 0) return wrong
    if (kind === 'run' && code !== undefined && endsFlow(code)) {
      const text = `must be a code that the activity fails with, "${code}" is a code of the engine.`
      return [{ at: [...at, 'code'], code: 'UnknownErrorCode', text }]
    }
    const refusals = isOperationName(work) ? operations[work].errors : []
    if (kind === 'run' || code === undefined || refusals.some(known => known === code)) return []
    return [unknown([...at, 'code'], 'UnknownErrorCode', `a refusal of ${work}`, code, refusals)]
  }

  #answer({ answer, step: name }: AnswerWord, at: FieldPath): CaseFinding[] {
    const asks = this.#steps.flatMap(step => ('ask' in step ? [step] : []))
    const step = asks.find(step => step.name === name)
    if (step === undefined) return [unknown([...at, 'step'], 'UnknownStep', 'an ask step', name, asks.map(nameOf))]
    const answers = Object.keys(step.ask)
    return answers.includes(answer)
      ? []
      : [unknown([...at, 'answer'], 'UnknownAnswer', `an answer of ${name}`, answer, answers)]
  }

  /** A word of the story could not tell the shipment from the booking of the role. */
  beforeFlow(name: string, at: FieldPath): CaseFinding[] {
    const text = `must be another name, because "${name}" is a role of the flow.`
    return this.#booked.includes(name) ? [{ at, code: 'DuplicateName', text }] : []
  }

  role(name: string, at: FieldPath): CaseFinding[] {
    return this.#roles.includes(name) ? [] : [unknown(at, 'UnknownRole', 'a role of the flow', name, this.#roles)]
  }

  step(name: string, at: FieldPath): CaseFinding[] {
    const names = this.#steps.map(nameOf)
    return names.includes(name) ? [] : [unknown(at, 'UnknownStep', 'a step of the flow', name, names)]
  }

  work(name: string, at: FieldPath, kind: Work['kind'] | 'any' = 'any'): CaseFinding[] {
    const names = this.#works.filter(each => kind === 'any' || each.kind === kind).map(nameOf)
    return names.includes(name) ? [] : [unknown(at, 'UnknownWork', kindsOfWork[kind], name, names)]
  }
}

/** The work of a step, or of its undo. */
interface Work {
  readonly kind: 'book' | 'call' | 'run'
  readonly name: string
}

function worksOf(step: Step): Work[] {
  if ('book' in step) return [{ kind: 'book', name: step.book }]
  if ('call' in step) return [{ kind: 'call', name: step.call }]
  if (!('run' in step)) return []
  const names = typeof step.undo === 'string' && step.undo !== 'nothing' ? [step.run, step.undo] : [step.run]
  return names.map(name => ({ kind: 'run', name }))
}

function nameOf({ name }: { readonly name: string }): string {
  return name
}

function unknown(
  at: FieldPath,
  code: CaseFaultCode,
  what: string,
  given: string,
  known: readonly string[],
): CaseFinding {
  const names = [...new Set(known)]
  const all = names.length > 0 && names.length <= 12 ? ` (${names.join(', ')})` : ''
  return { at, code, text: `must be ${what}${all}, "${given}" is not one.${suggest(given, names)}` }
}
