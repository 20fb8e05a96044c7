/** Makes changes one after another. A failure leaves the next one possible. */
export type Sequence = <Result>(change: () => Promise<Result>) => Promise<Result>

export function createSequence(): Sequence {
  let last: Promise<unknown> = Promise.resolve()
  return change => {
    const next = last.then(change, change)
    last = next.catch(() => undefined)
    return next
  }
}
