import type { Client } from '@temporalio/client'
import { isOpen } from '#client/cases'
import { toWorkflowId } from '#flows'
import { grpcErrorOf, notFound } from './calls.ts'

/** Temporal's numbers of events (temporal.api.enums.v1.EventType). */
const [taskScheduled, taskCompleted, terminated, continuedAsNew] = [5, 7, 27, 28]

/** News of a flow: its status may have changed, nothing has happened, or it has ended. */
export type News = 'changed' | 'unchanged' | 'ended'

/** Waits for events of a flow by Temporal's long poll. A flow changes when a workflow task completes. Follows its runs. */
export class NewEvents {
  readonly #client: Client
  readonly #workflowId: string
  #token: Uint8Array | undefined
  #last: number | undefined

  constructor(client: Client, caseNo: string) {
    this.#client = client
    this.#workflowId = toWorkflowId(caseNo)
  }

  /** Begins again with the current run, so that the next news is `changed` or `ended`. */
  restart(): void {
    this.#token = undefined
    this.#last = undefined
  }

  /** Returns within the time that the server allows a long poll: 20 to 60 seconds. @throws WorkflowNotFoundError */
  async next(): Promise<News> {
    const isFirst = this.#token === undefined
    const { history, nextPageToken } = await this.#read()
    const types = (history?.events ?? []).map(({ eventType }) => Number(eventType))
    this.#last = types.at(-1) ?? this.#last
    this.#token = nextPageToken
    if (nextPageToken.length === 0) {
      if (!(await this.#goesOn())) return 'ended'
      this.restart()
      return 'unchanged'
    }
    // A task that no worker takes: a query then finds the cause.
    const isStuck = types.length === 0 && this.#last === taskScheduled
    return isFirst || isStuck || types.includes(taskCompleted) ? 'changed' : 'unchanged'
  }

  /** Returns whether the flow goes on in another run. A reset terminates the run before it. */
  async #goesOn(): Promise<boolean> {
    if (this.#last !== terminated) return this.#last === continuedAsNew
    const { status } = await this.#client.workflow.getHandle(this.#workflowId).describe()
    return isOpen(status)
  }

  async #read() {
    const { workflow, workflowService, options } = this.#client
    try {
      return await workflowService.getWorkflowExecutionHistory({
        namespace: options.namespace,
        execution: { workflowId: this.#workflowId },
        waitNewEvent: true,
        ...(this.#token && { nextPageToken: this.#token }),
      })
    } catch (error) {
      // The error of `describe` says which of the two is missing.
      if (grpcErrorOf(error)?.code === notFound) await workflow.getHandle(this.#workflowId).describe()
      throw error
    }
  }
}
