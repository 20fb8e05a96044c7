// Stories of flows: their words, what the words mean, and their player, for two targets: the simulator (#testing/story/simulated)
// and real parts (#testing/story/real). Test cases, the simulator, the demo and pages import this. It loads no parts.
export { refusalOf, StoryFaults } from './faults.ts'
export {
  type Before,
  type Ends,
  ends,
  type ItemKind,
  leadingFaults,
  type RunResult,
  type Runs,
  type StartedStory,
  type Story,
  type StoryEvent,
  startFields,
  story,
  storyFields,
} from './form.ts'
export { compareEnd, compareState, type Difference } from './match.ts'
export type { Next } from './next.ts'
export { type Opening, openings } from './openings.ts'
export { describeState, type Playing, type PlayOptions, play, type ToldWord } from './play.ts'
export {
  createValues,
  fillIn,
  fillInRuns,
  PlaceholderError,
  type RequestValues,
  toInstant,
  toMoment,
} from './request/index.ts'
export type { EventWord, StoryRun, StoryStart, StoryState, StoryTarget } from './target.ts'
export { type StoryParts, type StoryUpdate, tellWord } from './tellWord.ts'
export { type Placeholder, placeholders, text } from './values.ts'
export { type Expected, type Fail, type StoryWord, type Verb, verbsIn, words } from './words.ts'
