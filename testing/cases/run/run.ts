import type { Edge, FlowDeclaration } from '#flows'
import { type FieldPath, type Place, toPath } from '#flows/check'
import {
  compareEnd,
  type Difference,
  describeState,
  fillIn,
  PlaceholderError,
  type Playing,
  type PlayOptions,
  play,
  type StoryState,
  type StoryTarget,
} from '#testing/story'
import type { LoadedCase } from '../read/load.ts'

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
export async function runCase(
  loaded: LoadedCase,
  flow: FlowDeclaration,
  target: StoryTarget,
  options: PlayOptions = {},
): Promise<CaseResult> {
  const { test, file } = loaded
  const start = performance.now()
  const skipped = target.unsupported?.(test, flow)
  const runner = new Runner(loaded)
  const edges = skipped === undefined ? await runner.run(flow, target, options) : []
  const { problems } = runner
  return { case: test.case, flow: test.flow, file, problems, skipped, durationMs: performance.now() - start, edges }
}

/** Plays the story of one case up to the first problem, and checks its end. */
class Runner {
  readonly #loaded: LoadedCase
  readonly problems: Problem[] = []

  constructor(loaded: LoadedCase) {
    this.#loaded = loaded
  }

  async run(flow: FlowDeclaration, target: StoryTarget, options: PlayOptions): Promise<readonly Edge[]> {
    const playing = await this.#attempt([], () => play(this.#loaded.test, flow, target, options))
    if (playing === undefined) return []
    try {
      await this.#tell(playing)
      if (this.problems.length === 0) await this.#end(playing)
      return (await this.#attempt([], () => playing.run.edges())) ?? []
    } finally {
      await this.#attempt([], () => playing.close())
    }
  }

  async #tell(playing: Playing): Promise<void> {
    while (this.problems.length === 0) {
      const at: FieldPath = ['story', playing.position]
      const told = await this.#attempt(at, () => playing.step())
      if (told === undefined) return
      if (told.state !== undefined) this.#note(told.differences, [...at, 'expect'], told.state)
    }
  }

  async #end({ run }: Playing): Promise<void> {
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
    if (state.outcome === null) return this.#add(['ends'], `The flow must have ended. ${describeState(state)}`)
    const names = ends.outcome !== undefined || ends.code !== undefined
    if (state.outcome === 'failed' && !names) this.#unexpected(['ends', 'outcome'], state)
    const { outputs = {} } = ends
    const expected = await this.#attempt(['ends', 'outputs'], async () => fillIn(outputs, run.values, []))
    if (expected !== undefined) this.#note(compareEnd({ ...ends, outputs: expected }, state), ['ends'], state)
  }

  #unexpected(at: FieldPath, state: StoryState): void {
    this.#add(at, `must be given for a flow that fails. ${describeState(state)}`)
  }

  #note(differences: readonly Difference[], above: FieldPath, state: StoryState): void {
    for (const { at, expected, actual } of differences) {
      const shown =
        at[0] === 'currentDetails' ? `\n${state.currentDetails}` : ` ${JSON.stringify(actual) ?? 'nothing'}.`
      const rest = ['step', 'outcome', 'overdue', 'code'].includes(String(at[0])) ? ` ${describeState(state)}` : ''
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
