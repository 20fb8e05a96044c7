import { mustBeTaskQueue } from '#contract'
import { mustBeDuration } from '#contract/terms'
import type { FaultCode } from '../../codes.ts'

/** Maximum sizes of the texts and lists of a declaration. */
export const limits = {
  steps: 200,
  depth: 4,
  branches: 8,
  items: 50,
  rounds: 100,
  /** Steps times items times rounds. */
  instances: 500,
  /** Lists that can run at once. */
  tokens: 64,
  name: 100,
  summaryBytes: 200,
  answers: 32,
  shipments: 50,
  currentDetailsBytes: 20_000,
} as const

/** The sentences of the schema, without a full stop. */
export const sentences = {
  flowName:
    'must be a lower-case letter, then at most 99 letters and digits, and not a member of every object such as "constructor"',
  stepName:
    'must be a lower-case letter, then at most 99 letters and digits, and not "input", "end", "done", "now" or a member of every object such as "constructor"',
  name: 'must be a lower-case letter, then at most 99 letters and digits, and not "input", "end", "now" or a member of every object such as "constructor"',
  key: 'must be a letter, then at most 99 letters, digits and _',
  path: 'must be a path such as "input.PupUid", "quote.cents" or "stock.shipmentUid"',
  duration: mustBeDuration,
  queue: mustBeTaskQueue,
  text: 'must be a text that is not empty',
  summary: `must be at most ${limits.summaryBytes} bytes`,
  branches: `must be a list of 2 to ${limits.branches} branches`,
  items: `must be an integer from 1 to ${limits.items}`,
  rounds: `must be an integer from 1 to ${limits.rounds}`,
  until: 'must be "all", "first" or { atLeast }',
  every: 'must be a duration such as "24h", or a point in time { workingTime } or { next }',
  steps: `must be a list of 1 to ${limits.steps} steps`,
  answers: `must be 1 to ${limits.answers} answers`,
  wait: 'must name the state of at least one role',
  field:
    'must be one of "text", "number", "integer", "boolean", "instant", "date" and "uid", a list of texts, or { list }, { fields } or { optional }',
  source: 'must be a text, a number, true, false, null, a list, an object, or one of { from }, { value } and { merge }',
  merge: 'must be a list of sources',
  fields: 'must be fields with their types, such as { orderNo: text }',
  notEmpty: 'must be a list that is not empty',
  when: 'must be comparisons by path, or one of { any }, { all } and { not }',
  condition:
    'must be a value, or one of { is }, { not }, { in }, { present }, { lessThan }, { moreThan }, { atMost }, { atLeast } and { contains }',
  onTimeout: 'must be "remind", "ask", "cancel" or { goTo }',
  window: 'must be a duration such as "48h", a point in time { at }, { workingTime } or { next }, or null',
  sleep: 'must be a duration such as "48h", or { until } with a point in time { at }, { workingTime } or { next }',
  point: 'must be a point in time { at }, { workingTime } or { next }',
  offset: 'must have one of before and after, not both',
  workingTimeLimit: 'must be at most "87600h", ten years of working hours',
  workingTime: 'must be working hours, minutes or seconds such as "16h": a working day has no length of its own',
  clock: 'must be a local time such as "09:00"',
  onError: 'must be "continue", "fail" or { goTo }',
  leaves: 'must be a sentence for a person, or { text, until }',
  undo: 'must be the name of an activity, { leaves }, or "nothing"',
  attempts: 'must be an integer from 1 to 2147483647',
  retry: 'must be "standard", "once" or a retry policy',
  output: 'must be a path, the name of a step, { first } or { from, when }',
  step: 'must be an object with exactly one of book, wait, ask, call, run, sleep, parallel, forEach, repeat, switch and group',
} as const

/** The code of each sentence that has one of its own. Any other is an InvalidValue. */
export const codeOfSentence: Readonly<Record<string, FaultCode>> = {
  [sentences.flowName]: 'BadName',
  [sentences.name]: 'BadName',
  [sentences.stepName]: 'BadName',
  [sentences.key]: 'BadName',
  [sentences.duration]: 'BadDuration',
  [sentences.workingTime]: 'BadDuration',
  [sentences.workingTimeLimit]: 'BadDuration',
  [sentences.summary]: 'LimitExceeded',
  [sentences.steps]: 'LimitExceeded',
  [sentences.branches]: 'LimitExceeded',
  [sentences.items]: 'LimitExceeded',
  [sentences.rounds]: 'LimitExceeded',
  [sentences.answers]: 'LimitExceeded',
  [sentences.step]: 'StepKind',
}
