import { TemporalFailure } from '@temporalio/common'
import type { Handlers, UpdateHandler } from '#workflows/runtime'
import type { Commands } from './commands.ts'
import { type Server, toCode, toJson, type UpdateEnd, type UpdateName } from './server.ts'

type Handler = UpdateHandler<unknown, unknown, unknown>

/** The updates of one run, from their arrival to their end. */
export class Updates {
  readonly #commands: Commands
  readonly #note: Server['note']
  #flow: unknown
  #handlers: Handlers<unknown>['updates'] | undefined
  #buffered: (() => void)[] = []
  #inProgress = 0

  constructor(commands: Commands, note: Server['note']) {
    this.#commands = commands
    this.#note = note
  }

  get areFinished(): boolean {
    return this.#inProgress === 0
  }

  /** Validates and runs the updates that have arrived before. */
  setHandlers(flow: unknown, handlers: Handlers<unknown>['updates']): void {
    this.#flow = flow
    this.#handlers = handlers
    for (const update of this.#buffered.splice(0)) update()
  }

  /** Validates an update and runs its handler, as soon as the flow has handlers. */
  run(name: UpdateName, argument: unknown, onEnd: (end: UpdateEnd) => void): void {
    if (this.#handlers === undefined) {
      this.#buffered.push(() => this.run(name, argument, onEnd))
      return
    }
    const handler = this.#handlers[name] as Handler
    try {
      handler.validate(this.#flow, argument)
    } catch (error) {
      if (!(error instanceof TemporalFailure)) throw error
      this.#note({ kind: 'refused', update: name, code: toCode(error), message: error.message })
      onEnd({ failure: error, isRejected: true })
      return
    }
    this.#handle(name, () => handler.handle(this.#flow, argument), { argument, onEnd })
  }

  #handle(
    name: UpdateName,
    handle: () => unknown,
    { argument, onEnd }: { readonly argument: unknown; readonly onEnd: (end: UpdateEnd) => void },
  ): void {
    this.#inProgress++
    this.#commands.add(() => this.#note({ kind: 'updateAccepted', update: name, argument }))
    const complete = (end: UpdateEnd) => {
      this.#commands.add(() => {
        const code = 'failure' in end ? toCode(end.failure) : undefined
        const result = 'result' in end ? end.result : undefined
        this.#note({ kind: 'updateCompleted', update: name, result, code })
        onEnd(end)
      })
    }
    void (async () => await handle())()
      .then(result => complete({ result: toJson(result) }))
      .catch(error => {
        if (!(error instanceof TemporalFailure)) throw error
        complete({ failure: error, isRejected: false })
      })
      .finally(() => {
        this.#inProgress--
      })
  }
}
