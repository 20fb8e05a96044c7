import { expect, test } from 'vitest'
import { findUnknownNames, settingNames } from '#platform/settings'
import { processes } from '../../../cli/documentation/settings.ts'

const declared = Object.values(processes).flatMap(variables => Object.entries(variables))
const names = declared.flatMap(([name, { secret }]: [string, { secret?: unknown }]) =>
  secret ? [name, `${name}_FILE`] : [name],
)

test('the table has each setting that a process declares', () => {
  expect(names.filter(name => name.startsWith('LOCKERFLOW_') && !settingNames.includes(name))).toEqual([])
})

test('an unknown name is reported with the nearest one', () => {
  const given = {
    LOCKERFLOW_DATABSE_URL: 'x',
    LOCKERFLOW_OTHER_THING: 'x',
    LOCKERFLOW_EMPTY: '',
    LOCKERFLOW_VERSION: '1',
  }
  // Temporal's own command reads more variables of this kind.
  const ofTemporal = { TEMPORAL_GRPC_META_TEAM: 'x', TEMPORAL_OTHER_THING: 'x' }
  expect(findUnknownNames({ ...given, ...ofTemporal })).toEqual([
    {
      setting: 'LOCKERFLOW_DATABSE_URL',
      problem: 'no process reads this variable. Did you mean "LOCKERFLOW_DATABASE_URL"?',
    },
    { setting: 'LOCKERFLOW_OTHER_THING', problem: 'no process reads this variable.' },
  ])
})
