import type { ErrorCode } from '#contract/terms'
import { allSteps, findInputStep, secretFields } from '#flows'
import type { AskStep, BookStep, CallStep, FlowDeclaration, RunStep, Step, WaitStep } from '#flows/declaration'
import { fromSchema } from './contractType.ts'
import { operationOf, rolesOfStep } from './operations.ts'
import type { PlacedStep } from './tree.ts'
import { fromFields, type Member, type Members, required, uniteMembers, type ValueType } from './valueType.ts'

export const isBook = (step: Step): step is BookStep => 'book' in step
export const isWait = (step: Step): step is WaitStep => 'wait' in step
export const isAsk = (step: Step): step is AskStep => 'ask' in step
export const isCall = (step: Step): step is CallStep => 'call' in step
export const isRun = (step: Step): step is RunStep => 'run' in step

/** Codes of the engine after which a run step fails its flow. */
export const finalCodes: readonly ErrorCode[] = ['RunGivenUp', 'OutputTooLarge']

/** True for a code after which a flow fails, even if the run step named it. */
export function endsFlow(code: string): boolean {
  return finalCodes.some(final => final === code)
}

/** The step that gets the input of the flow as its request, if it has no request of its own. */
export function requestStep({ steps }: FlowDeclaration): BookStep | CallStep | undefined {
  return allSteps(steps).find(step => isBook(step) || isCall(step)) as BookStep | CallStep | undefined
}

/** The fields of the input. A first request that the flow makes itself leaves it without fields, unless it declares them. */
export function inputOf(flow: FlowDeclaration): Members {
  if (flow.input) return fromFields(flow.input)
  const step = findInputStep(flow)
  const operation = step && operationOf(step)
  return operation ? fromSchema(operation.request) : {}
}

/** True if the flow can go on after an error of the step, whose code is then in the output. */
export function continuesAfter(step: Step): boolean {
  return errorCodes(step).length > 0
}

/** The output of a step by field; undefined for a step without one. */
export function outputOf(step: Step): Members | undefined {
  const error: Members = continuesAfter(step)
    ? { error: { type: errorType(errorCodes(step)), optional: true, nullable: false } }
    : {}
  if (isAsk(step)) return answersOf(step)
  if (isRun(step)) return { ...fromFields(step.keep), ...error }
  if (isCall(step)) return { ...responseOf(step), ...error }
  if (isWait(step)) return { ended: required({ kind: 'choice', of: ['reached', 'timedOut'] }) }
  const own = blockOutput(step)
  return own !== undefined || continuesAfter(step) ? { ...own, ...error } : undefined
}

/** `other` is any code. */
function errorType(codes: readonly string[]): ValueType {
  return codes.includes('other') ? { kind: 'text' } : { kind: 'choice', of: codes }
}

const integer = required({ kind: 'integer' })

/** The output of a block, without the types of the fields that it collects. */
function blockOutput(step: Step): Members | undefined {
  if ('parallel' in step) return { first: required({ kind: 'choice', of: step.parallel.map(({ name }) => name) }) }
  if ('repeat' in step) return { rounds: integer, ended: required({ kind: 'choice', of: ['until', 'atMost'] }) }
  if (!('forEach' in step)) return undefined
  const collected = Object.keys(step.collect ?? {}).map(name => [
    name,
    { ...required({ kind: 'any' }), optional: true },
  ])
  const text = required({ kind: 'text' })
  return {
    items: listOf({ key: text, ...Object.fromEntries(collected) }),
    completed: integer,
    failed: integer,
    errors: listOf({ key: text, error: text }),
  }
}

function listOf(fields: Members): Member {
  return required({ kind: 'list', of: required({ kind: 'object', fields }) })
}

function errorCodes(step: Step): string[] {
  const ways = 'onError' in step ? Object.entries(step.onError ?? {}) : []
  return ways.filter(([, way]) => way !== 'fail').map(([code]) => code)
}

function responseOf(step: CallStep): Members {
  const operation = operationOf(step)
  const fields = Object.entries(operation ? fromSchema(operation.response) : {})
  const { keep } = step
  return Object.fromEntries(fields.filter(([name]) => !isSecret(name) && (keep === undefined || keep.includes(name))))
}

/** True for a field that histories must not contain. It cannot be an output. */
export function isSecret(field: string): boolean {
  return secretFields.some(secret => secret === field)
}

/** `answer`, and the fields of all answers. */
function answersOf({ ask }: AskStep): Members {
  const members = new Map<string, Member>()
  for (const fields of Object.values(ask)) {
    for (const [name, member] of Object.entries(fromFields(fields))) {
      members.set(name, uniteMembers(members.get(name) ?? member, member))
    }
  }
  return { ...Object.fromEntries(members), answer: required({ kind: 'choice', of: Object.keys(ask) }) }
}

/** The roles that a step books, by name. */
export function bookedBy(step: Step): string[] {
  return isBook(step) ? rolesOfStep(step).map(([name]) => name) : []
}

/**
 * The index of the step that `goTo` leads to: a later one of the same list, or the index after it. Beyond all steps for the
 * end of the flow from inside of a block; undefined for no such step.
 */
export function findTarget({ index, list }: PlacedStep, goTo: string): number | undefined {
  if (goTo === 'end') return list.holder === undefined ? list.to : Number.POSITIVE_INFINITY
  if (goTo === 'done' && list.holder !== undefined) return list.to
  return list.steps.find(({ step, index: place }) => place > index && step.name === goTo)?.index
}
