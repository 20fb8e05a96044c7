import type { PlannedStep } from '#flows'
import { ask } from './ask.ts'
import { book } from './book/index.ts'
import { call } from './call.ts'
import type { Kind } from './kind.ts'
import { run } from './run/index.ts'
import { sleep } from './sleep.ts'
import { wait } from './wait.ts'

const kinds: { readonly [Name in PlannedStep['kind']]: Kind<Extract<PlannedStep, { kind: Name }>> } = {
  book,
  wait,
  ask,
  call,
  run,
  sleep,
}

export function kindOf(step: PlannedStep): Kind<PlannedStep> {
  // The table has each kind for the steps of this kind.
  return kinds[step.kind] as Kind<PlannedStep>
}
