// Calendars of pick up points: working hours, holidays and local times. Only activities compute with them: time zones
// change with the data of Node, and a replay must compute the same times.
export { readCalendars } from './read.ts'
export {
  type Calendar,
  type Calendars,
  calendarOf,
  calendarsJsonSchema,
  calendarsSchema,
  type HourRange,
  testCalendars,
  toMinutes,
} from './shape.ts'
export { addWorkingTime, CalendarError, findTimeZone, toNextTime } from './times.ts'
