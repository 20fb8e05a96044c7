import type { StoryFaults } from './faults.ts'
import type { StoryEvent } from './form.ts'
import { fillIn, type RequestValues } from './request/index.ts'

/** An update of a flow, with its argument. */
export type StoryUpdate =
  | {
      readonly name: 'answer'
      readonly argument: {
        readonly answer: string
        readonly step: string
        readonly fields?: object
        readonly by?: string
      }
    }
  | { readonly name: 'decide'; readonly argument: Omit<Extract<StoryEvent, { decide: string }>, 'decide'> & Decision }
  | { readonly name: 'cancel'; readonly argument: { readonly reason: string } }

interface Decision {
  readonly decision: 'extend' | 'keepWaiting' | 'cancel'
}

/** The side of a target that the words of a story act on. Each action throws an Error when it is impossible. */
export interface StoryParts {
  readonly values: RequestValues
  readonly faults: Pick<StoryFaults, 'fail' | 'recover'>
  /** Uids of shipments whose callbacks are lost. */
  readonly lost: Set<string>
  /** The uid of the shipment of a role, or of one that exists before the flow. */
  shipmentUid(role: string): Promise<string>
  /** Opens a locker as the person at its door. */
  open(role: string, code: 'deliveryCode' | 'pickUpCode'): Promise<void>
  /** Calls the service as another program does. */
  call(name: 'CancelShipment', request: { readonly shipmentUid: string }): Promise<unknown>
  call(
    name: 'SetShipmentReceiver',
    request: { readonly shipmentUid: string; readonly toUserUid: string },
  ): Promise<unknown>
  update(update: StoryUpdate): Promise<void>
  pass(word: Extract<StoryEvent, { after: string } | { at: unknown }>): Promise<void>
  cancelInWebUi(): Promise<void>
  loseWorker(): Promise<void>
}

/** Tells one word. A check is none of its business. */
export async function tellWord(word: StoryEvent, parts: StoryParts): Promise<void> {
  const { values, faults, lost } = parts
  if ('dropOff' in word) await parts.open(word.dropOff, 'deliveryCode')
  else if ('pickUp' in word) await parts.open(word.pickUp, 'pickUpCode')
  else if ('cancelShipment' in word) {
    await parts.call('CancelShipment', { shipmentUid: await parts.shipmentUid(word.cancelShipment) })
  } else if ('setReceiver' in word) {
    const shipmentUid = await parts.shipmentUid(word.setReceiver)
    await parts.call('SetShipmentReceiver', { shipmentUid, toUserUid: values.user(word.user?.$user ?? 1) })
  } else if ('after' in word || 'at' in word) await parts.pass(word)
  else if ('fail' in word) faults.fail(word.fail)
  else if ('recover' in word) faults.recover(word.recover)
  else if ('loseCallbacks' in word) lost.add(await parts.shipmentUid(word.loseCallbacks))
  else if ('deliverCallbacks' in word) lost.delete(await parts.shipmentUid(word.deliverCallbacks))
  else if ('loseWorker' in word) await parts.loseWorker()
  else if ('cancelInWebUi' in word) await parts.cancelInWebUi()
  else if (!('expect' in word)) await parts.update(toUpdate(word, values))
}

type UpdateWord = Extract<StoryEvent, { answer: string } | { decide: string } | { cancel: string }>

function toUpdate(word: UpdateWord, values: RequestValues): StoryUpdate {
  if ('answer' in word) {
    const { fields } = word
    return { name: 'answer', argument: { ...word, ...(fields && { fields: fillIn(fields, values, ['fields']) }) } }
  }
  if ('decide' in word) {
    const { decide: decision, ...by } = word
    return { name: 'decide', argument: { decision, ...by } }
  }
  return { name: 'cancel', argument: { reason: word.cancel } }
}
