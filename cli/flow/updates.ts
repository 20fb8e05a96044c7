import type { Decision } from '#client'
import { type FlowStatus, findCancelFault, mustBeDuration, parseDuration } from '#flows'
import { unlessAborted } from '#platform/interruption'
import { misuse } from '../command/failure.ts'
import { textsOf } from '../command/values.ts'
import type { VerbCall } from '../command/verb.ts'
import { assignFields, readFlags } from '../fields/assign.ts'
import { anyShape, type Shape, shapeOfFields } from '../fields/shape.ts'
import type { BulkUpdate } from './bulk/journal.ts'
import { timeoutOf } from './duration.ts'
import { readSetting } from './input.ts'
import { type FlowAnswer, finish } from './outcome.ts'
import { type AnyFlows, withFlows } from './session.ts'

const decisions = ['extend', 'keepWaiting', 'cancel'] as const satisfies readonly Decision['decision'][]

/** `lockerflow flow cancel`, for one case or for those of a condition. */
export async function cancel(call: VerbCall): Promise<void> {
  requireOneOrMany(call)
  // A resumption reads the reason from the report.
  const { reason = call.options.resume } = call.options
  if (typeof reason !== 'string' || reason === '') throw misuse('--reason: must be given, for the history of the flow.')
  const fault = call.options.resume === undefined ? findCancelFault({ reason }) : undefined
  if (fault !== undefined) throw misuse(`--${fault}`)
  const timeout = timeoutOf(call.options)
  await forOneOrMany(call, { verb: 'cancel', argument: { reason } }, (flows, caseNo) =>
    flows.cancel(caseNo, reason, timeout),
  )
}

/** `lockerflow flow decide`, for one case or for those of a condition. */
export async function decide(call: VerbCall): Promise<void> {
  requireOneOrMany(call)
  const decision = call.options.resume === undefined ? readDecision(call.options) : { decision: 'keepWaiting' as const }
  const timeout = timeoutOf(call.options)
  await forOneOrMany(call, { verb: 'decide', argument: decision }, (flows, caseNo) =>
    flows.decide(caseNo, decision, timeout),
  )
}

/** `--by` alone extends. @throws CommandFailure that names the option */
export function readDecision({ decision, by }: Readonly<Record<string, unknown>>): Decision {
  const chosen = decision ?? (by === undefined ? undefined : 'extend')
  const known = decisions.find(each => each === chosen)
  if (known === undefined) {
    const got = decision === undefined ? '' : `, got "${decision}"`
    throw misuse(`--decision: must be ${decisions.join(', ')}, or missing with --by${got}.`)
  }
  if (by === undefined) return { decision: known }
  if (known !== 'extend') throw misuse('--by: must be given with the decision extend only.')
  if (typeof by !== 'string' || parseDuration(by) === undefined) throw misuse(`--by: ${mustBeDuration}, got "${by}".`)
  return { decision: known, by: by as NonNullable<Decision['by']> }
}

/** @throws CommandFailure for a command line without flows, or with a case and a condition */
function requireOneOrMany({ values: [caseNo], options: { where, resume } }: VerbCall): void {
  const isBulk = where !== undefined || resume !== undefined
  if (isBulk === (caseNo !== undefined))
    throw misuse('case: must be a case number, or be omitted with --where or --resume.')
}

async function forOneOrMany(
  call: VerbCall,
  update: BulkUpdate,
  one: (flows: AnyFlows, caseNo: string) => Promise<FlowAnswer>,
): Promise<void> {
  const [caseNo] = call.values
  rejectIgnored(call.options)
  if (caseNo !== undefined) return updateOne(call, flows => one(flows, caseNo))
  const { runBulk } = await import('./bulk/run.ts')
  await runBulk(call, update)
}

/** Sends one update and prints its result. A signal ends the wait, including that for a connection. The flow may still get the update. */
async function updateOne(call: VerbCall, update: (flows: AnyFlows) => Promise<FlowAnswer>): Promise<void> {
  const updating = withFlows(call, ({ flows }) => update(flows))
  finish(call.output, await unlessAborted(updating, call.signal))
}

/** The options that a bulk of a condition has, by their names in the help. A single case has none of them. */
const ofCondition = { dryRun: '--dry-run', report: '--report' } as const

/** An update that was to be shown only must not be done. @throws CommandFailure that names the option */
function rejectIgnored(options: VerbCall['options']): void {
  if (options.where !== undefined && options.resume !== undefined)
    throw misuse('--where: must not be given with --resume, since the report lists the flows.')
  if (options.where !== undefined) return
  for (const [name, option] of Object.entries(ofCondition))
    if (options[name] !== undefined) throw misuse(`${option}: must be given with --where only.`)
  if (options.rate !== undefined && options.resume === undefined)
    throw misuse('--rate: must be given with --where or --resume only.')
  for (const name of ['reason', 'decision', 'by'])
    if (options[name] !== undefined && options.resume !== undefined)
      throw misuse(`--${name}: must not be given with --resume, since the report has it.`)
}

/** `lockerflow flow answer`: the fields of the answer by flags, or by `--set`. */
export async function answer(call: VerbCall): Promise<void> {
  const [caseNo = '', step = '', name = '', ...words] = call.values.filter(value => value !== undefined)
  const { by } = call.options
  const set = textsOf(call, 'set').map(text => readSetting(text, 'cents=4900'))
  const given = [...set, ...readFlags(words)]
  const timeout = timeoutOf(call.options)
  await updateOne(call, async flows => {
    // The flow knows the type of each field: an answer that is a number stays one, and a text that reads as one too.
    const found = await flows.status(caseNo)
    const asks = found.kind === 'Status' ? found.status.asks : undefined
    const asked = asks?.step === step ? asks.answers[name] : undefined
    const shape = asked ? shapeOfFields(asked) : asks === undefined ? anyShape : await shapeOfGiven(flows, caseNo, step)
    const fields = assignFields({}, shape, given, false)
    const update = { step, answer: name, fields, ...(typeof by === 'string' && { by }) }
    return flows.answer(caseNo, update as Parameters<AnyFlows['answer']>[1], timeout)
  })
}

/** An answer that repeats an earlier one has the types of its fields: a text that reads as a number stays a text. */
async function shapeOfGiven(flows: AnyFlows, caseNo: string, step: string): Promise<Shape> {
  const { outputs } = await flows.handle(caseNo).query<FlowStatus, [object]>('status', { outputs: true })
  const output = outputs?.[step]
  if (typeof output !== 'object' || output === null) return anyShape
  const texts = Object.entries(output).filter(([, value]) => typeof value === 'string')
  return { kinds: ['object'], fields: Object.fromEntries(texts.map(([name]) => [name, { kinds: ['text'] }])) }
}
