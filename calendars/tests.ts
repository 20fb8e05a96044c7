import { type Calendars, calendarsSchema } from './shape.ts'

const workday = ['09:00-17:00']

/**
 * The calendars of simulations and test cases without a calendar file: weekdays from nine to five, without holidays. A worker has no
 * such default (D-342).
 */
export const testCalendars: Calendars = calendarsSchema.parse({
  default: { hours: { monday: workday, tuesday: workday, wednesday: workday, thursday: workday, friday: workday } },
  timeZone: 'UTC',
})
