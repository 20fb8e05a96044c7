import { allSteps, type FlowDeclaration, kindOf, parseDuration, pathOfPoint } from '#flows'
import { type FieldPath, toPath, valueAt } from '#flows/check'
import type { StartedStory } from '#testing/story'

type Step = FlowDeclaration['steps'][number]
type PointInTime = Parameters<typeof pathOfPoint>[0]

/** Milliseconds. A longer timer of Node fires at once. */
const maxTimer = 2 ** 31 - 1

const otherwise = 'must be { $in } with a time after the start, since real parts start now and no factor scales'

/** The reason why a case would wait for another time than its story says; undefined for all other cases. */
export function findUnsupported(test: StartedStory, flow: FlowDeclaration, windowFactor: number): string | undefined {
  const date = findDate(test, flow)
  if (date !== undefined) return `${toPath(date)}: ${otherwise} ${valueAt(test, date)}`
  for (const [index, word] of test.story.entries()) {
    const time = 'after' in word ? { $in: word.after } : 'at' in word ? word.at : undefined
    if (typeof time === 'string') return `story[${index}].at: ${otherwise} ${time}`
    if ((parseDuration(time?.$in ?? '') ?? 0) * windowFactor > maxTimer) {
      return `story[${index}]: must take at most 24 days on real parts, so give a smaller factor than ${windowFactor}`
    }
  }
  return undefined
}

/** The place of a date by which a step ends: in the request, an answer or a result. */
function findDate(test: StartedStory, flow: FlowDeclaration): FieldPath | undefined {
  const steps = allSteps(flow.steps)
  const points = steps.flatMap(step => pointOf(step) ?? [])
  return points
    .flatMap(point => placesOf(pathOfPoint(point) ?? '', test, steps))
    .find(at => typeof valueAt(test, at) === 'string')
}

/** The places of a case that give the value at a path of its flow. */
function placesOf(path: string, { story }: StartedStory, steps: readonly Step[]): FieldPath[] {
  const [head = '', ...fields] = path.split('.')
  if (head === 'input') return [['request', ...fields]]
  const answers = story.flatMap((word, index) => ('answer' in word && word.step === head ? [index] : []))
  const runs = steps.flatMap(step => ('run' in step && step.name === head ? [step.run] : []))
  return [
    ...answers.map(index => ['story', index, 'fields', ...fields]),
    ...runs.map(run => ['runs', run, 'returns', ...fields]),
  ]
}

function pointOf(step: Step): PointInTime | undefined {
  const end = kindOf(step).end(step)
  return typeof end === 'object' && end !== null ? end : undefined
}
