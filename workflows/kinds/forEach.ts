import { isRecord } from '#contract/terms'
import { type Json, type PlannedForEach, readPath } from '#flows'
import { flowFailure, toFailureText } from '../failures.ts'
import { addItems } from '../position.ts'
import { type FailureText, toValues } from '../progress.ts'
import { itemId } from '../scopes.ts'
import { type BlockKind, waits } from './block.ts'

/** Characters of a key. */
const maxKey = 64

export const forEach: BlockKind<PlannedForEach> = {
  /** The list is read once, so that it cannot change under the loop. */
  enter(progress, token, step) {
    const list = readPath(toValues(progress, token.id), step.in) ?? []
    const items = Array.isArray(list) ? list : []
    const keys = items.map((item, index) => keyOf(item, index, step))
    const fault = findFault(keys, step)
    token.block = { keys: fault === undefined ? keys.map(String) : [], started: 0, ended: [], ...(fault && { fault }) }
    if (fault !== undefined || items.length === 0) return
    const byId = items.map((item, index) => [itemId(token.id, step.name, String(keys[index])), item] as const)
    addItems(progress, Object.fromEntries(byId))
  },
  move(_, { id, step: index, block }, { name, end, atOnce, until }) {
    const { keys = [], started, ended, fault } = block
    if (fault !== undefined) return { fail: fault }
    const completed = ended.filter(({ error }) => error === undefined).length
    const isReached = until !== 'all' && completed >= until
    if (isReached || ended.length >= keys.length) {
      const running = keys.slice(0, started).filter(key => ended.every(each => each.key !== key))
      return { leave: 'joined', drop: running.map(key => itemId(id, name, key)) }
    }
    const next = keys.slice(started, started + Math.max(0, atOnce - (started - ended.length)))
    if (next.length === 0) return waits
    return { start: next.map(key => ({ id: itemId(id, name, key), from: index + 1, to: end, cause: 'item' })) }
  },
  output({ keys = [], ended }) {
    const inOrder = keys.flatMap(key => ended.find(each => each.key === key) ?? [])
    const items = inOrder.filter(({ error }) => error === undefined)
    const errors = inOrder.flatMap(({ key, error }) => (error === undefined ? [] : [{ key, error }]))
    return {
      items: items.map(({ key, collected }) => ({ key, ...(isRecord<Json>(collected) && collected) })),
      completed: items.length,
      failed: errors.length,
      errors,
    }
  },
}

function keyOf(item: Json, index: number, { key }: PlannedForEach): Json | undefined {
  return key === undefined ? String(index) : readPath({ item }, `item.${key}`)
}

function findFault(
  keys: readonly (Json | undefined)[],
  { name, key, atMost }: PlannedForEach,
): FailureText | undefined {
  if (keys.length > atMost) {
    return toFault('TooManyItems', `The list of step ${name} must have at most ${atMost} items, got ${keys.length}.`)
  }
  const isKey = (each: Json | undefined) => typeof each === 'string' && each !== '' && each.length <= maxKey
  if (!keys.every(isKey)) {
    return toFault('InvalidItemKey', `${key} of each item of step ${name} must be a text of 1 to ${maxKey} characters.`)
  }
  if (new Set(keys).size === keys.length) return undefined
  return toFault('InvalidItemKey', `${key} must be different in each item of step ${name}.`)
}

function toFault(type: 'TooManyItems' | 'InvalidItemKey', message: string): FailureText {
  return toFailureText(flowFailure(type, message))
}
