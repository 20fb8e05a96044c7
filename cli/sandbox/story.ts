import { setTimeout as delay } from 'node:timers/promises'
import { type Api, createApi } from '#contract/client'
import type { FlowDeclaration } from '#flows/declaration'
import {
  type CaseFault,
  type CaseResult,
  describeCaseFault,
  describeProblem,
  type LoadedCase,
  loadCases,
  loadStory,
  runCase,
} from '#testing/cases'
import { createRunningTarget } from '#testing/story/real'
import { CommandFailure, exitCodes, misuse, ReportedFailure } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { type FlowSession, findFlow, withFlows } from '../flow/session.ts'
import { advanceStack, timeOfStack } from './stackVerbs.ts'
import { readTarget } from './target.ts'

/** A story with the flow that it is about. */
interface ReadStory {
  readonly loaded: LoadedCase
  readonly flow: FlowDeclaration
  /** The flow of the case runs already. */
  readonly isStarted: boolean
}

/**
 * Plays the story of a file with the flow of a case, and leaves the flow where the story ends. A test case starts its flow
 * if the case has none yet. Time passes by the clock of `lockerflow dev`, or for real.
 */
export async function playStory(call: VerbCall, file: string): Promise<void> {
  const { values, options, environment, output } = call
  const [caseNo = ''] = values
  await withFlows(call, async session => {
    const api = createApi(readTarget(environment))
    try {
      const { loaded, flow, isStarted } = await readStory(file, options.only, caseNo, session, environment)
      const target = createRunningTarget({
        api,
        client: session.client,
        taskQueue: session.taskQueue,
        pickUpPoints: await listPickUpPoints(api),
        caseNo,
        isStarted,
        now: async () => Date.parse((await timeOfStack())?.now ?? new Date().toISOString()),
        pass: async length => {
          if ((await advanceStack(`${length}ms`)) === undefined) await delay(length, undefined, { signal: call.signal })
        },
      })
      const result = await runCase(loaded, flow, target, {
        onWord: ({ word }) => 'expect' in word || output.item({ caseNo, word }, () => describeWord(word)),
      })
      report(call, caseNo, result)
    } finally {
      await api.close()
    }
  })
}

/** @throws CommandFailure when the file has no story, or no flow is known */
async function readStory(
  file: string,
  only: unknown,
  caseNo: string,
  { flows }: FlowSession,
  environment: NodeJS.ProcessEnv,
): Promise<ReadStory> {
  const status = await flows.status(caseNo)
  const running = status.kind === 'Status' ? status.status.flow : undefined
  const test = await readCase(file, only)
  const name = running ?? test?.test.flow
  if (name === undefined) {
    throw new CommandFailure('UnknownCase', `${caseNo} has no flow, and ${file} has no request to start one.`, {
      exitCode: exitCodes.failed,
      remedy: `Start it first: lockerflow flow start <flow> --case ${caseNo}.`,
    })
  }
  const flow = (await findFlow(name, environment))?.flow
  if (flow === undefined) throw misuse(`LOCKERFLOW_FLOWS: must be set to the declaration of the flow ${name}.`)
  return { flow, isStarted: running !== undefined, loaded: test ?? (await readEvents(file, caseNo, name)) }
}

/** The test case of a file; undefined for a story without a flow. @throws CommandFailure with the faults of the file */
async function readCase(file: string, only: unknown): Promise<LoadedCase | undefined> {
  const { cases, faults, areStories } = await loadCases([file])
  if (areStories) return undefined
  if (faults.length > 0) throw faulty(faults)
  const chosen = only === undefined ? cases : cases.filter(({ test }) => test.case.includes(String(only)))
  const [found, other] = chosen
  if (found !== undefined && other === undefined) return found
  const names = cases.map(({ test }) => `"${test.case}"`).join(', ')
  const got = only === undefined ? '' : `, got "${only}"`
  throw misuse(`--only: must be a part of the name of exactly one case (${names})${got}.`)
}

async function readEvents(file: string, caseNo: string, flow: string): Promise<LoadedCase> {
  const { story, faults, placeOf } = await loadStory(file)
  if (story !== undefined && faults.length === 0)
    return { test: { case: caseNo, flow, request: {}, ...story }, file, placeOf }
  throw faulty(faults)
}

function faulty(faults: readonly CaseFault[]): CommandFailure {
  const lines = faults.map(describeCaseFault)
  return misuse(['--story: must be a story or a test case without faults.', ...lines])
}

async function listPickUpPoints(api: Api) {
  const { items } = await api.call('GetPickUpPoints', {})
  return items
}

function describeWord(word: object): string {
  return Object.entries(word)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')
}

/** @throws CommandFailure for a story that did not play */
function report({ output }: VerbCall, caseNo: string, { skipped, problems, durationMs }: CaseResult): void {
  if (skipped !== undefined) throw misuse(`--story: must be playable on running parts: ${skipped}.`)
  const isDone = problems.length === 0
  output.item({ caseNo, played: isDone, problems, durationMs: Math.round(durationMs) }, () =>
    isDone ? `${caseNo} played to the end of the story.` : problems.map(describeProblem),
  )
  if (!isDone) throw new ReportedFailure()
}
