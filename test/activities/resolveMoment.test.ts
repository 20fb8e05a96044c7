import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createActivities, type FlowActivities } from '#activities'
import { type Calendars, calendarsSchema } from '#activities/calendars'
import type { ResolveMomentInput } from '#activities/interface'
import { type Api, createApi } from '#contract/client'
import { fullProfile } from '#contract/terms'
import { inContext, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()
let api: Api
beforeAll(() => {
  api = createApi(world.apiSettings)
})
afterAll(() => api.close())

const calendars = calendarsSchema.parse({
  timeZone: 'Asia/Tokyo',
  default: { hours: { monday: ['09:00-17:00'] } },
  pickUpPoints: { 'pup-2': { hours: { tuesday: ['10:00-12:00'] } } },
})

/** Without the context of Temporal's SDK, as a simulator runs it. */
function resolve(input: Partial<ResolveMomentInput>, given: Calendars | null = calendars) {
  const settings = { profile: fullProfile, pollInterval: { initial: 1, maximum: 1 } }
  const activities: FlowActivities = createActivities(api, { ...settings, ...(given && { calendars: given }) })
  const rule = { next: '09:00', workingDay: true } as const
  // A Saturday.
  return activities.resolveMoment({
    ...{ step: 'check', rule, from: '2026-11-21T12:00:00.000Z', pickUpPointUid: 'pup-1' },
    ...input,
  })
}

describe('a moment', () => {
  test('is in the time zone of the pick up point', async () => {
    const resolved = { moment: '2026-11-23T08:00:00.000Z', timeZone: 'Europe/Amsterdam' }
    expect(await resolve({})).toEqual(resolved)
  })

  test.each([null, 'nowhere'])('is in the time zone of the file for the pick up point %s', async pickUpPointUid => {
    expect(await resolve({ pickUpPointUid })).toEqual({ moment: '2026-11-23T00:00:00.000Z', timeZone: 'Asia/Tokyo' })
  })

  test('is in the time zone of the file at a service that lists no pick up points', async () => {
    world.toService.rule = ({ path }) =>
      path.endsWith('/GetPickUpPoints')
        ? { kind: 'answer', body: { success: false, error: 'UnknownOperation', message: 'There is none.' } }
        : { kind: 'pass' }
    expect(await resolve({})).toMatchObject({ timeZone: 'Asia/Tokyo' })
    const { timeZone: _, ...without } = calendars
    await expect(resolve({}, without)).rejects.toMatchObject({ type: 'UnknownOperation', nonRetryable: true })
  })

  test('is by the calendar of the pick up point', async () => {
    const rule = { workingTime: 3 * 3_600_000 }
    expect(await resolve({ rule, pickUpPointUid: 'pup-2' })).toMatchObject({ moment: '2026-12-01T10:00:00.000Z' })
    expect(await resolve({ rule })).toMatchObject({ moment: '2026-11-23T11:00:00.000Z' })
  })

  test('of the clock alone needs no calendar', async () => {
    expect(await resolve({ rule: { next: '09:00' } }, null)).toMatchObject({ moment: '2026-11-22T08:00:00.000Z' })
  })
})

describe('InvalidFlowInput, which a retry cannot change, is the failure', () => {
  const { timeZone: _, ...withoutZone } = calendars
  const closed = calendarsSchema.parse({ default: { hours: {} } })
  test.each<[string, Calendars | null, Partial<ResolveMomentInput>, string]>([
    ['without a calendar', null, {}, 'LOCKERFLOW_CALENDARS: must name a calendar file, since the step ends by working'],
    ['without a time zone', withoutZone, { pickUpPointUid: null }, 'since the flow has no pick up point.'],
    [
      'of an unknown pick up point',
      withoutZone,
      { pickUpPointUid: 'nowhere' },
      'since the service lists no pick up point nowhere.',
    ],
    ['without working days', closed, {}, 'LOCKERFLOW_CALENDARS: must have a working day within 400 days'],
    ['of a working time that never passes', closed, { rule: { workingTime: 1 } }, 'must have a working day within 400'],
  ])('%s', async (_, given, input, text) => {
    await expect(resolve(input, given)).rejects.toMatchObject({
      type: 'InvalidFlowInput',
      nonRetryable: true,
      message: expect.stringMatching(new RegExp(`^The end of step check: .*${text}`)),
    })
  })
})

test('a service that is away is asked again', async () => {
  world.toService.rule = () => ({ kind: 'cut' })
  const activities = inContext({ resolveMoment: () => resolve({}) } as unknown as FlowActivities)
  await expect(activities.resolveMoment({} as ResolveMomentInput)).rejects.toMatchObject({ nonRetryable: false })
})
