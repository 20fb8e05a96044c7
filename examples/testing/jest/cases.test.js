import { describe, test } from '@jest/globals'
import { describeCases } from 'lockerflow/cases'

/** Each case of the file becomes a test. Paths are relative to the folder in which the runner was started. */
await describeCases(
  { describe, test },
  {
    cases: ['parcel-return/cases.yaml'],
    flows: ['parcel-return/parcelReturn.yaml'],
    calendars: 'parcel-return/calendars.yaml',
  },
)
