import type { FlowDeclaration } from '#flows'

/** Its outputs are the values that an answer and a result had. */
export const booker: FlowDeclaration = {
  name: 'booker',
  summary: 'A visit is booked for a user.',
  input: { pickUpPointUid: 'uid' },
  steps: [
    {
      name: 'visit',
      summary: 'The user names a time.',
      ask: { named: { visitor: 'uid', visitAt: 'instant' } },
      who: 'user',
      window: null,
    },
    {
      name: 'slot',
      summary: 'A slot is found.',
      run: 'findSlot',
      with: {},
      keep: { host: 'uid', place: 'uid' },
      undo: 'nothing',
      timeout: '1m',
    },
    { name: 'stay', summary: 'The visit takes place.', sleep: { until: { at: 'visit.visitAt' } } },
  ],
  outputs: { visitor: 'visit.visitor', host: 'slot.host', place: 'slot.place' },
}

/** A case with placeholders in an answer and in a result. */
export const visit = `
- case: a visit in three days
  flow: booker
  request: { pickUpPointUid: { $pup: 1 } }
  runs: { findSlot: { returns: { host: { $user: 2 }, place: { $pup: 1 } } } }
  story:
    - { answer: named, step: visit, fields: { visitor: { $user: 3 }, visitAt: { $in: 3d } } }
    - after: 2d
    - expect: { step: stay }
    - after: 1d
  ends: { outcome: completed, outputs: { visitor: { $user: 3 }, host: { $user: 2 }, place: { $pup: 1 } } }
`
