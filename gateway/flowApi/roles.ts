import type { FlowClient, Refused, UnknownCase } from '#client'
import { FlowApiError, refused } from './problem.ts'
import { type Caller, hasRole } from './tokens/caller.ts'

/**
 * Rejects the answer of a caller without the role that the plan of the flow names. The flow can ask any of its
 * questions by the time the answer arrives, so the answer to one that it does not ask now needs the role too.
 * @returns the result of a call that needs no role; undefined if the caller may answer
 * @throws FlowApiError Forbidden
 */
export async function rejectWithoutRole(
  flows: Pick<FlowClient, 'status'>,
  caseNo: string,
  step: string,
  caller: Pick<Caller, 'roles'>,
): Promise<Refused | UnknownCase | undefined> {
  const found = await flows.status(caseNo, { questions: true })
  if (found.kind === 'UnknownCase') return found
  const { asks, questions, state } = found.status
  if (state === 'ended') return refused('FlowEnded', 'The flow has ended.')
  if (questions === undefined) return refused('NotAskedYet', 'The flow is not planned yet, so it asks nothing.')
  // An item or a round of a loop asks the question of its step.
  const name = step.replace(/[[#].*$/, '')
  const named = asks?.step === step ? [asks] : questions.filter(question => question.step === name)
  const lacking = named.find(({ who }) => !hasRole(caller, who))
  if (lacking === undefined) return undefined
  throw new FlowApiError('Forbidden', `The access token lacks the role ${lacking.who}, which answers ${step}.`)
}
