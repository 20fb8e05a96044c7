import { randomUUID } from 'node:crypto'
import { stdin, stdout } from 'node:process'
import type { Listed, ListedCase } from '#client'
import { CommandFailure, exitCodes, misuse, ReportedFailure, toFailure } from '../../command/failure.ts'
import type { VerbCall } from '../../command/verb.ts'
import { timeoutOf } from '../duration.ts'
import { caseTable, rejectWrongWhere } from '../list.ts'
import { finish } from '../outcome.ts'
import { type FlowSession, withFlows } from '../session.ts'
import { plain } from '../text.ts'
import { type BulkUpdate, createJournal, type Journal, openJournal, type SelectedCase } from './journal.ts'
import { type BulkEnd, performBulk } from './perform.ts'

/** Cases that are shown before the question. */
const shown = 10

/** Cases of one bulk. Their list is one line of the report. */
const maxCases = 100_000

const defaultRate = 10
const maxRate = 500

/** Milliseconds between two notes of the progress. */
const noteInterval = 1_000

/** Updates all cases of a condition, each once, even when the process is killed and resumed. */
export async function runBulk(call: VerbCall, update: BulkUpdate): Promise<void> {
  const { options, output } = call
  const rate = readRate(options.rate)
  const timeout = timeoutOf(options)
  rejectWrongWhere(options.where)
  await withFlows(call, async session => {
    const opened =
      typeof options.resume === 'string'
        ? await resume(options.resume, session.namespace, update.verb)
        : await begin(call, session, update)
    if (opened === undefined) return
    const { journal } = opened
    const { head } = journal
    const end = await performBulk({
      journal,
      rate,
      signal: call.signal,
      send: selected =>
        send(session, head.update, selected, { ...timeout, once: { key: `bulk:${head.bulk}`, runId: selected.runId } }),
      onProgress: createProgress(text => output.note(text)),
    }).finally(() => journal.close())
    report(call, end, { path: opened.path, verb: head.update.verb })
  })
}

interface OpenBulk {
  readonly journal: Journal
  readonly path: string
}

async function resume(path: string, namespace: string, verb: BulkUpdate['verb']): Promise<OpenBulk> {
  const journal = await openJournal(path)
  const { head } = journal
  const fault =
    head.namespace !== namespace
      ? `of the namespace ${namespace}, got one of ${plain(head.namespace)}`
      : head.update.verb !== verb
        ? `of flow ${verb}, got one of flow ${plain(head.update.verb)}`
        : undefined
  if (fault === undefined) return { journal, path }
  await journal.close()
  throw misuse(`--resume: must be a report ${fault}.`)
}

/** Shows the cases and asks. Undefined when there is nothing to do. */
async function begin(call: VerbCall, session: FlowSession, update: BulkUpdate): Promise<OpenBulk | undefined> {
  const { output, options } = call
  const where = String(options.where)
  const cases = await select(call, session, where)
  if (cases === undefined) return undefined
  const question = `${describe(update)} ${cases.length} ${cases.length === 1 ? 'flow' : 'flows'}`
  const rest = cases.length > shown ? [`and ${cases.length - shown} more`] : []
  const lines = [...caseTable(cases.slice(0, shown)), ...rest, '']
  if (options.dryRun === true || cases.length === 0) {
    const selection = { cases: cases.map(({ caseNo }) => caseNo), update }
    output.result(selection, () =>
      cases.length === 0 ? ['No flow matches.'] : [...lines, `${question}: not done (--dry-run).`],
    )
    return undefined
  }
  for (const line of lines) output.note(line)
  if (!(await confirm(call, question))) {
    output.note('Nothing was changed.')
    return undefined
  }
  const bulk = randomUUID()
  const head = {
    bulk,
    startedAt: new Date().toISOString(),
    namespace: session.namespace,
    where,
    update,
    cases: cases.map(({ caseNo, runId }) => ({ caseNo, runId })),
  }
  const path = typeof options.report === 'string' ? options.report : `lockerflow-bulk-${bulk}.jsonl`
  output.note(`Report and progress: ${path}`)
  return { journal: await createJournal(path, head), path }
}

/** All cases of the condition. A case that changes its page meanwhile counts once. */
async function select({ output }: VerbCall, { flows }: FlowSession, where: string): Promise<ListedCase[] | undefined> {
  const found = new Map<string, ListedCase>()
  for (let cursor: string | undefined; ; ) {
    const page: Listed | Awaited<ReturnType<typeof flows.list>> = await flows.list({
      where,
      pageSize: 1_000,
      ...(cursor !== undefined && { cursor }),
    })
    if (page.kind !== 'Listed') {
      finish(output, page)
      return undefined
    }
    for (const each of page.cases) if (!found.has(each.caseNo)) found.set(each.caseNo, each)
    if (found.size > maxCases) throw misuse(`--where: must select at most ${maxCases} flows.`)
    if (page.cursor === null) return [...found.values()]
    cursor = page.cursor
  }
}

function describe(update: BulkUpdate): string {
  if (update.verb === 'cancel') return 'Cancel'
  const { decision, by } = update.argument
  if (decision === 'extend') return `Extend${by ? ` by ${by}` : ''}`
  return decision === 'cancel' ? 'Decide to cancel' : 'Decide to keep waiting for'
}

async function confirm({ options, output }: VerbCall, question: string): Promise<boolean> {
  if (options.yes === true) {
    output.note(`${question}.`)
    return true
  }
  if (output.json || stdin.isTTY !== true || stdout.isTTY !== true) {
    throw misuse(`--yes: must be given if there is no terminal. The command would do this: ${question}.`)
  }
  const { confirm, isCancel } = await import('@clack/prompts')
  const answer = await confirm({ message: `${question}?`, initialValue: false })
  return !isCancel(answer) && answer
}

function send(
  { flows }: FlowSession,
  update: BulkUpdate,
  { caseNo }: SelectedCase,
  options: NonNullable<Parameters<FlowSession['flows']['decide']>[2]>,
) {
  return update.verb === 'decide'
    ? flows.decide(caseNo, update.argument, options)
    : flows.cancel(caseNo, update.argument.reason, options)
}

function createProgress(note: (text: string) => void) {
  let noted = performance.now()
  return ({ cases, done, refused }: Pick<BulkEnd, 'cases' | 'done' | 'refused'>): void => {
    if (performance.now() - noted < noteInterval) return
    noted = performance.now()
    note(`${done + refused} of ${cases}${refused > 0 ? `, ${refused} refused` : ''}`)
  }
}

/** @throws CommandFailure when not all cases are done */
function report(
  { output, signal }: VerbCall,
  { stoppedBy, ...counts }: BulkEnd,
  { path, verb }: { readonly path: string; readonly verb: string },
): void {
  const { done, refused, open, cases } = counts
  output.result({ ...counts, report: path }, () => [
    `${done} of ${cases} done, ${refused} refused, ${open} open. Report: ${path}`,
  ])
  const remedy = `Continue: lockerflow flow ${verb} --resume ${path}`
  if (signal.aborted)
    throw new CommandFailure('Interrupted', `interrupted, ${open} of ${cases} cases are open.`, {
      exitCode: exitCodes.pending,
      remedy,
    })
  if (stoppedBy !== undefined) {
    const { code, message, exitCode, requestId } = toFailure(stoppedBy)
    throw new CommandFailure(code, message, { exitCode, remedy, requestId })
  }
  if (open > 0)
    throw new CommandFailure('StillPending', `${open} flows did not respond within the timeout.`, {
      exitCode: exitCodes.pending,
      remedy,
    })
  if (refused > 0) throw new ReportedFailure(`${refused} of ${cases} flows refused.`, `Read their reasons in ${path}.`)
}

function readRate(given: unknown): number {
  const rate = given === undefined ? defaultRate : Number(given)
  if (rate > 0 && rate <= maxRate) return rate
  throw misuse(`--rate: must be a number of cases per second, above 0 and at most ${maxRate}, got "${given}".`)
}
