import { allSteps, describePoint, kindOf } from '#flows'
import type { AskStep, FlowDeclaration, Step } from '#flows/declaration'
import type { Finding } from '../fault.ts'
import { limits } from '../form/parts/sentences.ts'
import { bookedBy, isAsk, isRun } from '../model/flow.ts'

/** Steps before and after the current one that the current details of a flow show. */
const neighbours = { before: 3, after: 5 } as const
/** Rows of a list. */
const maxRows = 20

/**
 * Bytes of everything that no declaration decides, at its longest: the case number of 60 characters (190), the headline with
 * the code and the sentence of a failure and its page (900), five rejections of 120 characters (2,030), the times of the
 * step (330), and the titles and ends of the sections (400).
 */
const fixedBytes = 3_900
/** Bytes of a shipment besides its role: two uids of 64 characters, a locker of 100, the state, the time and the marks. */
const shipmentBytes = 340
/** Bytes of a step besides its texts: its number, its mark, a time and the brackets. */
const stepBytes = 45
/** Maximum sizes of the engine's reason for a left-over, of a cause that no declaration names, and of a uid. */
const maxBytes = { reason: 130, cause: 20, uid: 64 } as const

/** Maximum size of the current details of a flow in the Web UI, in bytes: in the step that shows the most, with every list full. */
export function currentDetailsBytes(
  { name, summary, steps: outer }: FlowDeclaration,
  roles: readonly string[],
): number {
  const steps = allSteps(outer)
  const ofSteps = steps.map((step, index) => {
    const around = steps.slice(Math.max(0, index - neighbours.before), index + neighbours.after + 1)
    return sum(around.map(lineBytes)) + workBytes(step)
  })
  return (
    fixedBytes +
    bytesOf(name) +
    bytesOf(summary) +
    Math.max(0, ...ofSteps) +
    sumOfLongest(roles.map(role => 2 * bytesOf(role) + shipmentBytes)) +
    sumOfLongest(leftOverBytes(steps, roles))
  )
}

/** A step in the list of steps: done with its cause, or ahead with its window. */
function lineBytes(step: Step): number {
  const causes = [
    ...('ask' in step ? Object.keys(step.ask).map(answer => `answer:${answer}`) : []),
    ...('onError' in step ? Object.keys(step.onError ?? {}).map(code => `error:${code}`) : []),
  ]
  const aside = Math.max(maxBytes.cause, shownBytes(describeEnd(step)), ...causes.map(shownBytes))
  return stepBytes + shownBytes(step.name) + shownBytes(step.summary) + aside
}

/** The end of a step in a few words, which are a little shorter than those of the plan. */
function describeEnd(step: Step): string {
  const end = kindOf(step).end(step)
  return typeof end === 'object' && end !== null ? `until 99999999s ${describePoint(end)}` : ''
}

/** The headline and the lines of the current step. */
function workBytes(step: Step): number {
  const goTo = 'onTimeout' in step && typeof step.onTimeout === 'object' ? shownBytes(step.onTimeout.goTo) : 0
  const work = isRun(step) ? shownBytes(step.run) + shownBytes(step.taskQueue ?? '') : 0
  return shownBytes(step.name) + shownBytes(step.summary) + goTo + work + (isAsk(step) ? questionBytes(step) : 0)
}

function questionBytes({ name, who, ask }: AskStep): number {
  const answers = Object.entries(ask).map(([answer, fields]) => {
    const names = Object.keys(fields).map(field => shownBytes(field) + 2)
    return shownBytes(answer) + 9 + sum(names)
  })
  return 40 + shownBytes(who) + shownBytes(name) + sum(answers)
}

/** Every left-over that the end of the flow can list: a shipment, or the effect of a step. */
function leftOverBytes(steps: readonly Step[], roles: readonly string[]): number[] {
  const ofSteps = steps.flatMap(step => {
    const undone = isRun(step) && typeof step.undo === 'object' ? [step.undo.leaves] : []
    const { leaves } = step
    const own = leaves === undefined ? [] : [typeof leaves === 'string' ? leaves : leaves.text]
    const texts = [...own, ...undone].map(shownBytes)
    const failed = isRun(step) && typeof step.undo === 'string' && step.undo !== 'nothing' ? [maxBytes.reason] : []
    return [...texts, ...failed].map(bytes => shownBytes(step.name) + bytes + 6)
  })
  return [...ofSteps, ...roles.map(role => Math.max(bytesOf(role), maxBytes.uid) + maxBytes.reason + 6)]
}

function sumOfLongest(bytes: readonly number[]): number {
  return sum(bytes.toSorted((a, b) => b - a).slice(0, maxRows))
}

function sum(bytes: readonly number[]): number {
  return bytes.reduce((total, one) => total + one, 0)
}

/** The characters of a text that the current details show. */
const maxLength = 120

/** The bytes of a text in the current details: cut, and with a backslash before each mark that Markdown could read. */
function shownBytes(text: string): number {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  return bytesOf(cut.replaceAll(/[!-,./:-@[-`{-~]/g, String.raw`\$&`))
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}

/** Findings of the limits that no single field decides: shipments, and the size of current details in the Web UI. */
export function limitFindings(flow: FlowDeclaration): Finding[] {
  const roles = new Set(allSteps(flow.steps).flatMap(bookedBy))
  const bytes = currentDetailsBytes(flow, [...roles])
  return [
    ...(roles.size > limits.shipments
      ? [limit(`must book at most ${limits.shipments} shipments, but it books ${roles.size}.`)]
      : []),
    ...(bytes > limits.currentDetailsBytes
      ? [
          limit(
            `must fit the Web UI in ${limits.currentDetailsBytes} bytes, but the longest current details have ${bytes}.`,
          ),
        ]
      : []),
  ]
}

function limit(text: string): Finding {
  return { at: ['steps'], code: 'LimitExceeded', text }
}
