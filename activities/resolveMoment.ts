import {
  addWorkingTime,
  CalendarError,
  type Calendars,
  calendarOf,
  findTimeZone,
  toMinutes,
  toNextTime,
} from '#activities/calendars'
import type { Api } from '#contract/client'
import { isPermanent, nonRetryable, withApplicationFailures } from './failures.ts'
import type { ResolvedMoment, ResolveMomentInput } from './interface.ts'

/** Computes the end of a step by a calendar, in the time zone of the pick up point. It may be in the past. */
export async function resolveMoment(
  api: Api,
  calendars: Calendars | undefined,
  input: ResolveMomentInput,
): Promise<ResolvedMoment> {
  const timeZone = await withApplicationFailures(() => readTimeZone(api, calendars, input))
  try {
    return { moment: new Date(compute(calendars, input, findTimeZone(timeZone))).toISOString(), timeZone }
  } catch (error) {
    if (error instanceof CalendarError) throw invalid(input, error.message)
    throw error
  }
}

function compute(
  calendars: Calendars | undefined,
  { rule, from, pickUpPointUid, step }: ResolveMomentInput,
  timeZone: string,
): number {
  const start = Date.parse(from)
  const calendar = calendars && calendarOf(calendars, pickUpPointUid)
  if ('next' in rule && !rule.workingDay) return toNextTime(null, timeZone, start, toMinutes(rule.next))
  if (calendar === undefined) {
    throw invalid({ step }, 'LOCKERFLOW_CALENDARS: must name a calendar file, since the step ends by working hours.')
  }
  if ('next' in rule) return toNextTime(calendar, timeZone, start, toMinutes(rule.next))
  return addWorkingTime(calendar, timeZone, start, rule.workingTime)
}

/** The file's time zone is for flows without a pick up point, and for services that do not list theirs. */
async function readTimeZone(
  api: Api,
  calendars: Calendars | undefined,
  { pickUpPointUid, step }: ResolveMomentInput,
): Promise<string> {
  const fallback = calendars?.timeZone
  let problem = 'the flow has no pick up point'
  if (pickUpPointUid !== null) {
    problem = `the service has none for ${pickUpPointUid}`
    try {
      const { items } = await api.call('GetPickUpPoints', { pupUid: pickUpPointUid, pageNo: 1, pageSize: 1 })
      const found = items.find(({ pupUid }) => pupUid === pickUpPointUid)
      if (found?.timeZone) return found.timeZone
      if (found === undefined) problem = `the service lists no pick up point ${pickUpPointUid}`
    } catch (error) {
      if (!isPermanent(error) || fallback === undefined) throw error
    }
  }
  if (fallback !== undefined) return fallback
  throw invalid({ step }, `timeZone: must be given in the file of LOCKERFLOW_CALENDARS, since ${problem}.`)
}

function invalid({ step }: Pick<ResolveMomentInput, 'step'>, text: string): Error {
  return nonRetryable('InvalidFlowInput', `The end of step ${step}: ${text}`)
}
