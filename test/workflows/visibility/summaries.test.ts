import type { History } from '@temporalio/worker'
import { expect, test } from 'vitest'
import { createActivities } from '#activities'
import type { Api } from '#contract/client'
import { fullProfile } from '#contract/terms'
import { readHistories } from '../../replay/histories.ts'
import { isWellNamed, type Named, namedIn } from '../../support/flows/summaries.ts'

const named = [...readHistories()].flatMap(([name, { history }]) =>
  namedIn(history as History).map(each => ({ ...each, in: name })),
)

function typesOf(kind: Named['kind']): string[] {
  return [...new Set(named.filter(each => each.kind === kind).map(({ type }) => type))]
}

test('in the recorded histories, every activity, timer and child workflow has a summary', () => {
  expect(named.filter(each => !isWellNamed(each))).toEqual([])
})

test('every activity of the worker is in a recorded history', () => {
  const settings = { profile: fullProfile, pollInterval: { initial: 1_000, maximum: 1_000 } }
  // Nothing is called.
  const activities = Object.keys(createActivities({} as Api, settings))
  const seen = typesOf('activity')
  expect(activities.filter(name => !seen.includes(name))).toEqual([])
})

test('so are timers, and the child workflows of notifications and late bookings', () => {
  expect(typesOf('timer')).toEqual(['timer'])
  expect(typesOf('child').toSorted()).toEqual(['notification', 'sweep'])
})
