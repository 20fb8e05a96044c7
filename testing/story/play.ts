import type { FlowDeclaration } from '#flows/declaration'
import { leadingFaults, type StartedStory } from './form.ts'
import { compareState, type Difference } from './match.ts'
import { type Next, wordsOf } from './next.ts'
import { PlaceholderError } from './request/index.ts'
import type { StoryRun, StoryState, StoryTarget } from './target.ts'
import type { StoryWord } from './words.ts'

/** A word that was told. */
export interface ToldWord {
  /** Its place in the story. */
  readonly index: number
  readonly word: StoryWord
  /** The state that a check has seen; undefined for other words. */
  readonly state?: StoryState
  /** Empty for a check that holds, and for other words. */
  readonly differences: readonly Difference[]
}

export interface PlayOptions {
  /** Called after each word. */
  readonly onWord?: (told: ToldWord) => unknown
}

/** Starts the flow of a story on a target. Faults before any other word apply from its start. */
export async function play(
  story: StartedStory,
  flow: FlowDeclaration,
  target: StoryTarget,
  options: PlayOptions = {},
): Promise<Playing> {
  const failing = leadingFaults(story.story)
  const run = await target.start({ story, flow, failing })
  return new Playing(story.story, flow, run, failing.length, options)
}

/** A story that is being told. A page can pause it, tell word by word, and say words of its own. */
export class Playing {
  readonly run: StoryRun
  readonly #words: readonly StoryWord[]
  readonly #flow: FlowDeclaration
  readonly #options: PlayOptions
  #position: number
  #isPaused = false

  constructor(
    words: readonly StoryWord[],
    flow: FlowDeclaration,
    run: StoryRun,
    position: number,
    options: PlayOptions,
  ) {
    this.run = run
    this.#words = words
    this.#flow = flow
    this.#position = position
    this.#options = options
  }

  /** The index of the word that is told now, or next. */
  get position(): number {
    return this.#position
  }

  /** Tells the words that are left, up to a pause or a check that does not hold. @throws Error for an impossible word */
  async play(): Promise<void> {
    this.#isPaused = false
    while (!this.#isPaused) {
      const told = await this.step()
      if (told === undefined || told.differences.length > 0) return
    }
  }

  /** Lets `play` return after the word that is told now. */
  pause(): void {
    this.#isPaused = true
  }

  /** Tells one word; undefined at the end of the story. @throws Error for an impossible word, which can be told again */
  async step(): Promise<ToldWord | undefined> {
    const index = this.#position
    const word = this.#words[index]
    if (word === undefined) return undefined
    const told = { index, word, ...(await this.say(word)) }
    this.#position = index + 1
    await this.#options.onWord?.(told)
    return told
  }

  /** Tells any word. @throws Error for an impossible word */
  async say(word: StoryWord): Promise<Pick<ToldWord, 'state' | 'differences'>> {
    if ('expect' in word) {
      const state = await this.run.observe(state => compareState(word.expect, state).length === 0)
      return { state, differences: compareState(word.expect, state) }
    }
    await this.run.perform(word).catch(error => explain(error, this.run))
    return { differences: [] }
  }

  /** What may happen next. */
  async next(): Promise<Next> {
    const state = await this.run.observe(() => true)
    return { word: this.#words[this.#position], words: wordsOf(this.#flow, state), state }
  }

  /** Ends the flow if it still runs, unless others use the parts too. */
  close(): Promise<void> {
    return this.run.close()
  }
}

/** A flow that has ended early is the usual reason why a word is impossible. */
async function explain(error: unknown, run: StoryRun): Promise<never> {
  if (error instanceof PlaceholderError) throw error
  const state = await run.observe(() => true)
  const reason = error instanceof Error ? error.message : String(error)
  const isSaid = state.message !== null && reason.includes(state.message)
  throw new Error(`${reason} ${describeState(isSaid ? { ...state, message: null } : state)}`)
}

/** One sentence. */
export function describeState({ step, overdue, outcome, code, message, shipments }: StoryState): string {
  const states = shipments.map(({ role, stateCode }) => `${role} ${stateCode}`).join(', ')
  const place =
    outcome === null
      ? `The flow waits in ${step ?? 'no step'}${overdue ? ', overdue' : ''}`
      : `It is ${outcome}${code === null ? '' : ` with ${code}`}`
  // The message names the fields of a wrong request. That of a team's activity may end without a full stop.
  const reason = message ? `: ${message.replace(/\.$/, '')}` : ''
  return `${place}${states && `, with ${states}`}${reason}.`
}
