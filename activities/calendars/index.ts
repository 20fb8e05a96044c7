// Calendars of pick up points: working hours, holidays and local times. Activities compute with them, never workflows:
// time zones change with the data of Node, and a replay must not.
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
