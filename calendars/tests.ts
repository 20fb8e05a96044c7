import { readCalendars } from './read.ts'
import { type Calendars, calendarsSchema } from './shape.ts'

const workday = ['09:00-17:00']

/** Nine to five on weekdays, without holidays. */
const weekdays: Calendars = calendarsSchema.parse({
  default: { hours: { monday: workday, tuesday: workday, wednesday: workday, thursday: workday, friday: workday } },
  timeZone: 'UTC',
})

/**
 * The calendars of simulations and test cases: the file of `LOCKERFLOW_CALENDARS`, else weekdays from nine to five. Workers
 * of production have no such default (D-342).
 */
export function testCalendars(source: NodeJS.ProcessEnv = process.env): Calendars {
  return source.LOCKERFLOW_CALENDARS ? readCalendars(source.LOCKERFLOW_CALENDARS) : weekdays
}
