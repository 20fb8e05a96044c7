import type { TestCase } from '#cases'
import { type FlowDeclaration, parseDuration, pathOfPoint } from '#flows'

type Step = FlowDeclaration['steps'][number]
type PointInTime = Parameters<typeof pathOfPoint>[0]

/** Milliseconds. A longer timer of Node fires at once. */
const longestTimer = 2 ** 31 - 1

const otherwise = 'must be { $in } with a time after the start, since real parts start now and no factor scales'

/** The reason why a case would wait for another time than its story says; undefined for all other cases. */
export function findUnsupported(test: TestCase, flow: FlowDeclaration, windowFactor: number): string | undefined {
  const field = findDate(test, flow)
  if (field !== undefined) return `request.${field}: ${otherwise} ${test.request[field]}`
  for (const [index, word] of test.story.entries()) {
    const time = 'after' in word ? { $in: word.after } : 'at' in word ? word.at : undefined
    if (typeof time === 'string') return `story[${index}].at: ${otherwise} ${time}`
    if ((parseDuration(time?.$in ?? '') ?? 0) * windowFactor > longestTimer) {
      return `story[${index}]: must take at most 24 days on real parts, so give a smaller factor than ${windowFactor}`
    }
  }
  return undefined
}

/** The field of a request that is a date by which a step ends. */
function findDate({ request }: TestCase, { steps }: FlowDeclaration): string | undefined {
  const points = steps.flatMap(step => pointOf(step) ?? [])
  const paths = points.flatMap(point => pathOfPoint(point) ?? [])
  const fields = paths.flatMap(path => (path.startsWith('input.') ? [path.slice('input.'.length)] : []))
  return fields.find(field => typeof request[field] === 'string')
}

function pointOf(step: Step): PointInTime | undefined {
  const end = 'sleep' in step ? step.sleep : step.window
  if (typeof end !== 'object' || end === null) return undefined
  return 'until' in end ? end.until : end
}
