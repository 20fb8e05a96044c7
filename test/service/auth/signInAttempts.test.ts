import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createAttempt } from '../../../service/auth/signInAttempts.ts'
import { gate } from '../../support/eventually.ts'

/** Wrong secrets before a lock. */
const free = 5

/** Guesses at the secret of one client. Its count is read and written in a later turn of the event loop, as by PostgreSQL. */
function start() {
  const attempt = createAttempt()
  let counted = 0
  const read = async () => {
    const before = counted
    await turn()
    return before
  }
  const guess = (secret: string, readCount = read) =>
    attempt('acme 203.0.113.1', readCount, count => {
      if (secret === 'right' && count < free) return { right: 'signed in' }
      const fail = async (): Promise<never> => {
        await turn()
        counted++
        throw new Error(count < free ? 'wrong' : 'locked')
      }
      return { wrong: fail }
    }).catch((error: Error) => error.message)
  return { guess, read }
}

test('each guess of a burst is checked against a count of every wrong one before it', async () => {
  const { guess } = start()
  const found = await Promise.all(Array.from({ length: 50 }, () => guess('x')))
  expect(found.filter(result => result === 'wrong')).toHaveLength(free)
  expect(found.filter(result => result === 'locked')).toHaveLength(50 - free)
  expect(await guess('right')).toBe('locked')
})

test('right secrets do not wait for each other', async () => {
  const { guess, read } = start()
  const first = gate()
  const held = guess('right', async () => {
    await first.opened
    return read()
  })
  expect(await guess('right')).toBe('signed in')
  first.open()
  expect(await held).toBe('signed in')
})
