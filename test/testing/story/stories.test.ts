import { expect, test } from 'vitest'
import { findStory } from '../../../testing/story/arrivals/stories.ts'

test.each([
  ['late-1', 'late'],
  ['never-1', 'never'],
  ['wrong-code-1', 'afterWrongCode'],
  ['on-time-1', 'atOnce'],
  ['R-late-1', undefined],
])('the case %s has the story %s', (name, story) => {
  expect(findStory(name)).toBe(story)
})
