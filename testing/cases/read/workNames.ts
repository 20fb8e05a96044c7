import { isOperationName, operations } from '#contract'
import { allSteps } from '#flows'
import { endsFlow, type FieldPath } from '#flows/check'
import type { FlowDeclaration, Step } from '#flows/declaration'
import type { Fail, StoryWord } from '#testing/story'
import { type CaseFinding, unknownName } from '../format/fault.ts'

const kindsOfWork = {
  book: 'an operation of a book step of the flow',
  call: 'an operation of a call step of the flow',
  run: 'an activity of the flow',
  any: 'an operation or activity of the flow',
} as const

/** The names of the operations and activities of a flow, and the checks of cases against them. */
export class WorkNames {
  readonly #work: readonly Work[]

  constructor({ steps }: FlowDeclaration) {
    this.#work = allSteps(steps).flatMap(listWork)
  }

  inWord(word: StoryWord, at: FieldPath): CaseFinding[] {
    if ('fail' in word) return this.#fail(word.fail, [...at, 'fail'])
    return 'recover' in word ? this.check(word.recover, [...at, 'recover']) : []
  }

  /** The activity of a team can fail with any code, except those of the engine. */
  #fail({ book, call, run, code }: Fail, at: FieldPath): CaseFinding[] {
    const kind = run !== undefined ? 'run' : call !== undefined ? 'call' : 'book'
    const work = book ?? call ?? run ?? ''
    const wrong = this.check(work, [...at, kind], kind)
    if (wrong.length > 0) return wrong
    if (kind === 'run' && code !== undefined && endsFlow(code)) {
      const text = `must be a code that the activity fails with, but "${code}" is a code of the engine.`
      return [{ at: [...at, 'code'], code: 'UnknownErrorCode', text }]
    }
    const refusals = isOperationName(work) ? operations[work].errors : []
    if (kind === 'run' || code === undefined || refusals.some(known => known === code)) return []
    return [unknownName([...at, 'code'], 'UnknownErrorCode', `a refusal of ${work}`, code, refusals)]
  }

  check(name: string, at: FieldPath, kind: Work['kind'] | 'any' = 'any'): CaseFinding[] {
    const names = this.#work.filter(each => kind === 'any' || each.kind === kind).map(({ name }) => name)
    return names.includes(name) ? [] : [unknownName(at, 'UnknownWork', kindsOfWork[kind], name, names)]
  }
}

/** The work of a step, or of its undo. */
interface Work {
  readonly kind: 'book' | 'call' | 'run'
  readonly name: string
}

function listWork(step: Step): Work[] {
  if ('book' in step) return [{ kind: 'book', name: step.book }]
  if ('call' in step) return [{ kind: 'call', name: step.call }]
  if (!('run' in step)) return []
  const names = typeof step.undo === 'string' && step.undo !== 'nothing' ? [step.run, step.undo] : [step.run]
  return names.map(name => ({ kind: 'run', name }))
}
