import type { Client } from '@temporalio/client'
import { isOpen } from '#client/cases'
import { toWorkflowId } from '#flows'
import { grpcErrorOf, notFound } from './calls.ts'

/** Temporal's numbers of events (temporal.api.enums.v1.EventType). */
const [taskScheduled, taskCompleted, continuedAsNew] = [5, 7, 28]
/** Completed, failed, timed out and cancelled. */
const ends: readonly unknown[] = [2, 3, 4, 21]

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
      const news = await this.#newsOfLast()
      if (news !== 'ended') this.restart()
      return news
    }
    // A task that no worker takes: a query then finds the cause.
    const isStuck = types.length === 0 && this.#last === taskScheduled
    return isFirst || isStuck || types.includes(taskCompleted) ? 'changed' : 'unchanged'
  }

  /** A reset terminates a run, and Temporal waits for no event of a paused one: a query then finds the cause. */
  async #newsOfLast(): Promise<News> {
    if (this.#last === continuedAsNew) return 'unchanged'
    if (ends.includes(this.#last)) return 'ended'
    const { status } = await this.#client.workflow.getHandle(this.#workflowId).describe()
    if (status.name === 'PAUSED') return 'changed'
    return isOpen(status) ? 'unchanged' : 'ended'
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
