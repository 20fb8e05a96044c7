import type { z } from 'zod'
import { kindNameOf } from '#flows'
import type { Step } from '#flows/declaration'
import * as ask from '../kinds/ask/check/index.ts'
import * as book from '../kinds/book/check/index.ts'
import * as call from '../kinds/call/check/index.ts'
import * as forEach from '../kinds/forEach/check/index.ts'
import * as group from '../kinds/group/check/index.ts'
import * as parallel from '../kinds/parallel/check/index.ts'
import * as repeat from '../kinds/repeat/check/index.ts'
import * as run from '../kinds/run/check/index.ts'
import * as sleep from '../kinds/sleep/check/index.ts'
import * as switchCases from '../kinds/switch/check/index.ts'
import * as wait from '../kinds/wait/check/index.ts'
import type { Finding } from './fault.ts'
import type { StepContext } from './references/values/windows.ts'
import type { Node, Way } from './ways/situation/node.ts'
import type { WayParts } from './ways/situation/ways.ts'

/** The check of a kind of step. */
export interface KindCheck<Checked extends Step> {
  readonly form: z.ZodType<Checked>
  /** Findings in relation to the steps before it and to the contract. */
  findings?(context: StepContext, step: Checked): Finding[]
  /** The paths out of it, besides errors and cancellations. By default it is done. */
  waysFrom?(node: Node, step: Checked, parts: WayParts): Iterable<Way>
}

/** In the order in which a fault lists the kinds. */
export const kinds = { book, wait, ask, call, run, sleep } as const

/** The kinds that have steps of their own. Their forms need that of a list. */
export const blocks = { parallel, forEach, repeat, switch: switchCases, group } as const

export function checkOf(step: Step): KindCheck<Step> {
  // The table has each check for the steps of its kind.
  const kind = kindNameOf(step)
  return { ...blocks, ...kinds }[kind] as unknown as KindCheck<Step>
}
