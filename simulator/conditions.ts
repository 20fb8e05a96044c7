/** The conditions that a flow waits for. */
export class Conditions {
  #waiting: { readonly test: () => boolean; readonly resolve: () => void }[] = []

  // As many microtasks as in the SDK: updates that end in the same task are written before what the flow does next.
  async wait(test: () => boolean): Promise<void> {
    await new Promise<void>(resolve => {
      if (test()) resolve()
      else this.#waiting.push({ test, resolve })
    })
  }

  /** Resolves the conditions that are true, in the order in which they were made, until none is. Returns their number. */
  unblock(): number {
    let count = 0
    for (let before = -1; before !== count; ) {
      before = count
      this.#waiting = this.#waiting.filter(({ test, resolve }) => {
        if (!test()) return true
        resolve()
        count++
        return false
      })
    }
    return count
  }
}
