/** Makes changes one after another. A failure leaves the next one possible. */
export type InOrder = <Result>(change: () => Promise<Result>) => Promise<Result>

export function createInOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve()
  return change => {
    const next = last.then(change, change)
    last = next.catch(() => undefined)
    return next
  }
}
