import { allSteps, rolesOf } from '#flows'
import type { FieldPath } from '#flows/check'
import type { FlowDeclaration, Step } from '#flows/declaration'
import type { StoryWord } from '#testing/story'
import type { TestCase } from '../format/case.ts'
import { type CaseFinding, unknownName } from '../format/fault.ts'
import { WorkNames } from './workNames.ts'

/** Checks the names of flows, steps, roles, answers and activities in a case. */
export function checkReferences(test: TestCase, flows: Readonly<Record<string, FlowDeclaration>>): CaseFinding[] {
  const flow = Object.hasOwn(flows, test.flow) ? flows[test.flow] : undefined
  if (flow === undefined) {
    const given = 'a built-in flow or one of the declarations that are given'
    return [unknownName(['flow'], 'UnknownFlow', given, test.flow, Object.keys(flows))]
  }
  const before = Object.keys(test.before ?? {})
  const names = new Names(flow, before)
  const works = new WorkNames(flow)
  const { ends = {}, runs = {} } = test
  return [
    ...before.flatMap(name => names.beforeFlow(name, ['before', name])),
    ...test.story.flatMap((word, index) => [
      ...names.inWord(word, ['story', index]),
      ...works.inWord(word, ['story', index]),
    ]),
    ...Object.keys(runs).flatMap(run => works.check(run, ['runs', run], 'run')),
    ...Object.keys(ends.bookings ?? {}).flatMap(role => names.role(role, ['ends', 'bookings', role])),
    ...(ends.leftOver ?? []).flatMap(({ role, step }, index) => [
      ...(role === undefined ? [] : names.role(role, ['ends', 'leftOver', index, 'role'])),
      ...(step === undefined ? [] : names.step(step, ['ends', 'leftOver', index, 'step'])),
    ]),
    ...(ends.ran ?? []).flatMap((run, index) => works.check(run, ['ends', 'ran', index], 'run')),
  ]
}

type AnswerWord = Extract<StoryWord, { answer: string }>

const roleVerbs = ['dropOff', 'pickUp', 'cancelShipment', 'setReceiver', 'loseCallbacks', 'deliverCallbacks'] as const

/** The names of the steps and roles of a flow. */
class Names {
  readonly #steps: readonly Step[]
  readonly #booked: readonly string[]
  readonly #roles: readonly string[]

  constructor(flow: FlowDeclaration, before: readonly string[]) {
    this.#steps = allSteps(flow.steps)
    this.#booked = Object.keys(rolesOf(flow))
    this.#roles = [...this.#booked, ...before]
  }

  inWord(word: StoryWord, at: FieldPath): CaseFinding[] {
    for (const verb of roleVerbs) {
      if (verb in word) return this.role(Reflect.get(word, verb), [...at, verb])
    }
    if ('answer' in word) return this.#answer(word, at)
    if (!('expect' in word)) return []
    const { step, shipments = {} } = word.expect
    return [
      ...(step === undefined ? [] : this.step(step, [...at, 'expect', 'step'])),
      ...Object.keys(shipments).flatMap(role => this.role(role, [...at, 'expect', 'shipments', role])),
    ]
  }

  #answer({ answer, step: name }: AnswerWord, at: FieldPath): CaseFinding[] {
    const asks = this.#steps.flatMap(step => ('ask' in step ? [step] : []))
    const step = asks.find(step => step.name === name)
    if (step === undefined)
      return [
        unknownName(
          [...at, 'step'],
          'UnknownStep',
          'an ask step',
          name,
          asks.map(({ name }) => name),
        ),
      ]
    const answers = Object.keys(step.ask)
    return answers.includes(answer)
      ? []
      : [unknownName([...at, 'answer'], 'UnknownAnswer', `an answer of ${name}`, answer, answers)]
  }

  /** A word of the story could not tell the shipment from the booking of the role. */
  beforeFlow(name: string, at: FieldPath): CaseFinding[] {
    const text = `must be another name, because "${name}" is a role of the flow.`
    return this.#booked.includes(name) ? [{ at, code: 'DuplicateName', text }] : []
  }

  role(name: string, at: FieldPath): CaseFinding[] {
    // An item or a round has a role of its own.
    const [role = ''] = name.split(/[[#]/)
    return this.#roles.includes(role) ? [] : [unknownName(at, 'UnknownRole', 'a role of the flow', name, this.#roles)]
  }

  step(name: string, at: FieldPath): CaseFinding[] {
    const names = this.#steps.map(({ name }) => name)
    return names.includes(name) ? [] : [unknownName(at, 'UnknownStep', 'a step of the flow', name, names)]
  }
}
