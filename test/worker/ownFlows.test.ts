import { expect, test } from 'vitest'
import { withCheckedResults } from '../../worker/ownFlows.ts'

const circle: { [field: string]: unknown } = { name: 'Circle' }
circle.cause = circle

const unreadable = {
  get labelNo(): string {
    throw new Error('The printer is off.')
  },
}

test.each([
  ['a function', () => 'L-1', 'result: '],
  ['a number of any size', { labelNo: 7n }, 'result.labelNo: '],
  ['a part of itself', { labelNo: 'L-1', circle }, 'result.circle: '],
  ['a getter that throws', unreadable, 'result.labelNo: '],
  ['a text with a lone surrogate beside such a number', [7n, '\ud83d'], 'result: '],
])('an activity fails at once on a result that is not JSON: %s', async (_, result, at) => {
  const { printLabel } = withCheckedResults({ printLabel: () => result })
  await expect(printLabel?.({} as never, {} as never)).rejects.toMatchObject({
    type: 'InvalidActivityResult',
    nonRetryable: true,
    message: `The result of the activity printLabel: ${at}must be a value that JSON can represent.`,
  })
})
