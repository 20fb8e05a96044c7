export interface Command {
  /** It is in no history. */
  isDropped: boolean
}

interface Queued extends Command {
  readonly isLast: boolean
  readonly send: () => void
}

/**
 * The commands of a workflow task. They are sent after the task, as the SDK does: a timer that starts and is cancelled in one
 * task is in no history. The end of the run is sent last.
 */
export class Commands {
  #queued: Queued[] = []

  add(send: () => void, { isLast = false } = {}): Command {
    const command = { isDropped: false, isLast, send }
    this.#queued.push(command)
    return command
  }

  /**
   * Sends the commands of the task.
   * @param onSend called before each one, which is one event of the history
   */
  sendAll(onSend: () => void): void {
    const queued = this.#queued.filter(({ isDropped }) => !isDropped)
    this.#queued = []
    for (const isLast of [false, true]) {
      for (const command of queued) {
        if (command.isLast !== isLast) continue
        onSend()
        command.send()
      }
    }
  }
}
