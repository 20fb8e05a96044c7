import { type ErrorCode, errors, isErrorCode } from '#contract/terms'
import type { Fail } from './words.ts'

/** The work that fails now, by its operation or activity. */
export class StoryFaults {
  readonly #failing = new Map<string, { readonly work: Fail; left: number }>()

  get areInForce(): boolean {
    return this.#failing.size > 0
  }

  fail(work: Fail): void {
    const name = work.book ?? work.call ?? work.run ?? ''
    this.#failing.set(name, { work, left: work.times ?? Number.POSITIVE_INFINITY })
  }

  recover(name: string): void {
    this.#failing.delete(name)
  }

  clear(): void {
    this.#failing.clear()
  }

  /** The fault of the next attempt, which it uses up; undefined without one. */
  take(name: string): Fail | undefined {
    const failing = this.#failing.get(name)
    if (failing === undefined || failing.left <= 0) return undefined
    failing.left--
    return failing.work
  }
}

/** The response of the service with a refusal. */
export function refusalOf(code: string): { readonly status: number; readonly body: object } {
  const status = isErrorCode(code) ? errors[code as ErrorCode].status : 200
  return { status, body: { success: false, error: code, message: 'The story refuses it.' } }
}
