import { allSteps } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { openings } from './openings.ts'
import type { StoryState } from './target.ts'
import type { StoryWord } from './words.ts'

/** What may happen next to a flow. */
export interface Next {
  /** The next word of the story; undefined at its end. */
  readonly word: StoryWord | undefined
  /** The words that a person can say now, whatever the story says. */
  readonly words: readonly StoryWord[]
  readonly state: StoryState
}

/** The words that a person can say in this state of a flow; none after its end. */
export function wordsOf({ steps }: FlowDeclaration, state: StoryState): StoryWord[] {
  const { outcome, overdue, shipments } = state
  if (outcome !== null) return []
  const step = allSteps(steps).find(({ name }) => name === state.step)
  return [
    ...shipments.flatMap(({ role, stateCode }): StoryWord[] => {
      const opening = openings[stateCode as keyof typeof openings]
      if (opening === undefined) return []
      return [opening === 'dropOff' ? { dropOff: role } : { pickUp: role }]
    }),
    ...(step !== undefined && 'ask' in step ? Object.keys(step.ask).map(answer => ({ answer, step: step.name })) : []),
    ...(overdue ? decisions : []),
    { cancel: 'a person cancels the case' },
  ]
}

const decisions: readonly StoryWord[] = [
  { decide: 'extend', by: '1d' },
  { decide: 'keepWaiting' },
  { decide: 'cancel' },
]
