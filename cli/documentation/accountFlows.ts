import { stringify } from 'yaml'
import { type FlowDeclaration, pathsInWhen } from '#flows'
import { flowDiagram } from '#flows/check'
import type { Step } from '#flows/declaration'
import { toVersioningBehavior } from '#flows/versioning'
import { table } from './markdown.ts'

/** The section of a flow that begins with a call or a run. It names all data, so that no change of it goes unnoticed. */
export function accountSection(flow: FlowDeclaration): string[] {
  const { name, summary, steps, input, outputs = {} } = flow
  const [first] = steps
  const request =
    input === undefined && first !== undefined && 'call' in first
      ? `The request is that of ${first.call}.`
      : `The request is ${toCode(input ?? {})}.`
  return [
    `### ${name}`,
    summary,
    `${request} ${describeVersioning(flow)}`,
    flowDiagram(flow),
    table(
      ['step', 'action', 'by', 'window', 'depends on', 'sends', 'keeps'],
      steps.map(step => [
        step.name,
        step.summary,
        workOf(step),
        windowOf(step),
        pathsInWhen(step.when).map(toCode).join(', '),
        sentBy(step),
        'keep' in step ? toCode(step.keep) : 'all',
      ]),
    ),
    table(
      ['field of the result', 'from'],
      Object.entries(outputs).map(([field, source]) => [toCode(field), toCode(source)]),
    ),
  ]
}

/** Which build runs it after another one was promoted. */
export function describeVersioning(flow: FlowDeclaration): string {
  return toVersioningBehavior(flow) === 'PINNED'
    ? '`PINNED`: it stays on the worker build that started it.'
    : '`AUTO_UPGRADE`: it moves to the current worker build.'
}

function workOf(step: Step): string {
  if ('call' in step) return `operation ${step.call}`
  if (!('run' in step)) return ''
  const { run, timeout, heartbeat } = step
  return `activity ${run}, ${timeout} for an attempt${heartbeat === undefined ? '' : `, heartbeat ${heartbeat}`}`
}

function windowOf(step: Step): string {
  return 'window' in step && typeof step.window === 'string' ? step.window : '1h'
}

function sentBy(step: Step): string {
  const given = 'with' in step ? step.with : 'request' in step ? step.request : undefined
  return given === undefined ? 'the request' : toCode(given)
}

/** Data as YAML on one line. */
function toCode(data: unknown): string {
  return `\`${stringify(data, { collectionStyle: 'flow', lineWidth: 0 }).trim()}\``
}
