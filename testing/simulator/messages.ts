import type { ShipmentStatus } from '#flows'
import { type Job, toJson, type UpdateEnd, type UpdateName } from './server.ts'

/** The signal of a callback. */
export function toSignal(argument: ShipmentStatus): Job {
  return {
    arrival: { kind: 'signal', argument },
    events: 1,
    timeLineEvent: { kind: 'signal', signal: 'shipmentStatus', argument },
    run: receiver => receiver.handlers.shipmentStatus(toJson(argument)),
  }
}

/** The cancel button of the Web UI. */
export function toCancelRequest(): Job {
  return {
    arrival: { kind: 'cancelRequested' },
    events: 1,
    timeLineEvent: { kind: 'cancelRequested' },
    run: receiver => receiver.requestCancel(),
  }
}

/** @param onEnd called once, even when a replay ends the update again */
export function toUpdate(name: UpdateName, argument: unknown, onEnd: (end: UpdateEnd) => void): Job {
  let end: UpdateEnd | undefined
  return {
    arrival: { kind: 'update', name },
    events: 0,
    isRejected: () => end !== undefined && 'failure' in end && end.isRejected,
    run: receiver =>
      receiver.update(name, toJson(argument), reached => {
        if (end === undefined) onEnd(reached)
        end ??= reached
      }),
  }
}

/** The order in which a task handles jobs: messages before everything else. */
export function messagesFirst(jobs: readonly Job[]): readonly Job[] {
  const isMessage = ({ arrival: { kind } }: Job) => kind === 'signal' || kind === 'update'
  return [...jobs.filter(isMessage), ...jobs.filter(job => !isMessage(job))]
}
