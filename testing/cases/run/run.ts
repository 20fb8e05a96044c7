import type { Edge, FlowDeclaration } from '#flows'
import { type FieldPath, type Place, toPath } from '#flows/check'
import type { TestCase } from '../format/case.ts'
import type { Fail } from '../format/words.ts'
import type { LoadedCase } from '../read/load.ts'
import { compareEnd, compareState, type Difference } from './match.ts'
import { fillIn, PlaceholderError } from './request/index.ts'
import type { CaseRun, CaseState, CaseTarget } from './target.ts'

/** A reason why a case failed. */
export interface Problem {
  /** In the file of the case. */
  readonly place: Place
  /** From the root of the case: `story[3].expect.step`. */
  readonly path: string
  /** A whole sentence. */
  readonly message: string
}

export interface CaseResult {
  readonly case: string
  readonly flow: string
  readonly file: string
  /** Empty for a case that passed. */
  readonly problems: readonly Problem[]
  /** The reason why the parts did not run the case; undefined if they ran it. */
  readonly skipped: string | undefined
  readonly durationMs: number
  /** The edges of the declaration that the flow took. */
  readonly edges: readonly Edge[]
}

/** Runs one case to its end. Never throws: a defect of the parts is a problem of the case. */
export async function runCase(loaded: LoadedCase, flow: FlowDeclaration, target: CaseTarget): Promise<CaseResult> {
  const { test, file } = loaded
  const start = performance.now()
  const skipped = target.unsupported?.(test, flow)
  const play = new Play(loaded)
  const edges = skipped === undefined ? await play.run(flow, target) : []
  const { problems } = play
  return { case: test.case, flow: test.flow, file, problems, skipped, durationMs: performance.now() - start, edges }
}

/** The words of one case, one after the other, up to the first problem. */
class Play {
  readonly #loaded: LoadedCase
  readonly problems: Problem[] = []

  constructor(loaded: LoadedCase) {
    this.#loaded = loaded
  }

  async run(flow: FlowDeclaration, target: CaseTarget): Promise<readonly Edge[]> {
    const { test } = this.#loaded
    const failing = leadingFaults(test)
    const run = await this.#attempt([], () => target.start({ test, flow, failing }))
    if (run === undefined) return []
    try {
      await this.#tell(run, failing.length)
      if (this.problems.length === 0) await this.#end(run)
      return (await this.#attempt([], () => run.edges())) ?? []
    } finally {
      await this.#attempt([], () => run.close())
    }
  }

  async #tell(run: CaseRun, first: number): Promise<void> {
    for (const [index, word] of this.#loaded.test.story.entries()) {
      if (index < first) continue
      const at: FieldPath = ['story', index]
      if ('expect' in word) {
        const state = await this.#attempt(at, () => run.observe(state => compareState(word.expect, state).length === 0))
        if (state !== undefined) this.#note(compareState(word.expect, state), [...at, 'expect'], state)
      } else await this.#attempt(at, () => run.perform(word).catch(error => explain(error, run)))
      if (this.problems.length > 0) return
    }
  }

  async #end(run: CaseRun): Promise<void> {
    const { ends } = this.#loaded.test
    if (ends === undefined) {
      // A wrong request would otherwise pass: the flow fails before the first event of the story.
      const state = await this.#attempt(['ends'], async () => {
        await run.settle?.()
        return run.observe(() => true)
      })
      if (state?.outcome === 'failed') this.#unexpected(['ends'], state)
      return
    }
    const state = await this.#attempt(['ends'], () => run.observe(({ outcome }) => outcome !== null))
    if (state === undefined) return
    if (state.outcome === null) return this.#add(['ends'], `The flow must have ended. ${describe(state)}`)
    const names = ends.outcome !== undefined || ends.code !== undefined
    if (state.outcome === 'failed' && !names) this.#unexpected(['ends', 'outcome'], state)
    const { outputs = {} } = ends
    const expected = await this.#attempt(['ends', 'outputs'], async () => fillIn(outputs, run.values, []))
    if (expected !== undefined) this.#note(compareEnd({ ...ends, outputs: expected }, state), ['ends'], state)
  }

  #unexpected(at: FieldPath, state: CaseState): void {
    this.#add(at, `must be given for a flow that fails. ${describe(state)}`)
  }

  #note(differences: readonly Difference[], above: FieldPath, state: CaseState): void {
    for (const { at, expected, actual } of differences) {
      const shown =
        at[0] === 'currentDetails' ? `\n${state.currentDetails}` : ` ${JSON.stringify(actual) ?? 'nothing'}.`
      const rest = ['step', 'outcome', 'overdue', 'code'].includes(String(at[0])) ? ` ${describe(state)}` : ''
      this.#add([...above, ...at], `Expected ${JSON.stringify(expected)}, but it is${shown}${rest}`)
    }
  }

  async #attempt<Result>(at: FieldPath, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      const below = error instanceof PlaceholderError ? error.at : []
      this.#add([...at, ...below], error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  #add(at: FieldPath, message: string): void {
    this.problems.push({ place: this.#loaded.placeOf(at), path: toPath(at), message })
  }
}

function leadingFaults({ story }: TestCase): Fail[] {
  const other = story.findIndex(word => !('fail' in word))
  const leading = other < 0 ? story : story.slice(0, other)
  return leading.flatMap(word => ('fail' in word ? [word.fail] : []))
}

/** A flow that has ended early is the usual reason why an event is impossible. */
async function explain(error: unknown, run: CaseRun): Promise<never> {
  if (error instanceof PlaceholderError) throw error
  const state = await run.observe(() => true)
  const reason = error instanceof Error ? error.message : String(error)
  const isSaid = state.message !== null && reason.includes(state.message)
  throw new Error(`${reason} ${describe(isSaid ? { ...state, message: null } : state)}`)
}

function describe({ step, overdue, outcome, code, message, shipments }: CaseState): string {
  const states = shipments.map(({ role, stateCode }) => `${role} ${stateCode}`).join(', ')
  const place =
    outcome === null
      ? `The flow waits in ${step ?? 'no step'}${overdue ? ', overdue' : ''}`
      : `It is ${outcome}${code === null ? '' : ` with ${code}`}`
  // The message names the fields of a wrong request. That of a team's activity may end without a full stop.
  const reason = message ? `: ${message.replace(/\.$/, '')}` : ''
  return `${place}${states && `, with ${states}`}${reason}.`
}
