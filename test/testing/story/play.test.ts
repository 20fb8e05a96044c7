import { afterAll, expect, test } from 'vitest'
import { flows } from '#flows'
import { type PlayOptions, play, type StartedStory } from '#testing/story'
import { createSimulatedTarget } from '#testing/story/simulated'

const target = createSimulatedTarget()

afterAll(() => target.stop())

const issue: StartedStory = {
  flow: 'issue',
  request: { $example: 'CreateLocalShipmentAsIssue' },
  story: [{ dropOff: 'issue' }, { expect: { step: 'pickUp' } }, { pickUp: 'issue' }],
}

const start = (story: StartedStory = issue, options?: PlayOptions) => play(story, flows.issue, target, options)
const cancel = { cancel: 'a person cancels the case' }

test('a story is told to its end, and each word is noted with its place', async () => {
  const told: unknown[] = []
  const playing = await start(issue, { onWord: ({ index, word }) => told.push([index, word]) })
  await playing.play()
  expect(told).toEqual([...issue.story.entries()])
  expect(await playing.next()).toMatchObject({ word: undefined, words: [], state: { outcome: 'completed' } })
  await playing.close()
})

test('a story steps, and says what may happen next', async () => {
  const playing = await start()
  expect(await playing.next()).toMatchObject({ word: issue.story[0], words: [{ dropOff: 'issue' }, cancel] })
  await playing.step()
  expect(playing.position).toBe(1)
  expect(await playing.next()).toMatchObject({ word: issue.story[1], words: [{ pickUp: 'issue' }, cancel] })
  await playing.close()
})

test('a pause ends the play after the current word, and it goes on from there', async () => {
  const playing = await start(issue, { onWord: ({ index }) => index === 0 && playing.pause() })
  await playing.play()
  expect(playing.position).toBe(1)
  await playing.play()
  expect(playing.position).toBe(3)
  await playing.close()
})

test('a person can say other words, such as a decision about an expired window', async () => {
  const playing = await start()
  await playing.say({ dropOff: 'issue' })
  await playing.say({ after: '30d' })
  const { words, state } = await playing.next()
  expect(state.overdue).toBe(true)
  expect(words).toContainEqual({ decide: 'cancel' })
  await playing.say({ decide: 'keepWaiting' })
  expect(await playing.next()).toMatchObject({ words: [{ pickUp: 'issue' }, cancel], state: { overdue: false } })
  await playing.close()
})

test('an impossible word can be told again', async () => {
  const playing = await start({ ...issue, story: [{ pickUp: 'issue' }] })
  await expect(playing.step()).rejects.toThrow('The flow waits in dropOff')
  expect(playing.position).toBe(0)
  await playing.say({ dropOff: 'issue' })
  expect(await playing.step()).toMatchObject({ index: 0 })
  await playing.close()
})

test('a check that does not hold ends the play', async () => {
  const playing = await start({ ...issue, story: [{ expect: { step: 'pickUp' } }, { dropOff: 'issue' }] })
  await playing.play()
  expect(await playing.next()).toMatchObject({ word: { dropOff: 'issue' }, state: { step: 'dropOff' } })
  await playing.close()
})
