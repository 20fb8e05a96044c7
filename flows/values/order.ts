import type { Comparison, Json, Source } from '../declaration/sources.ts'
import { readMoment } from './moments.ts'

/** The comparisons of two numbers, or of two moments, by the sign of their difference. */
const orders = {
  lessThan: (sign: number) => sign < 0,
  moreThan: (sign: number) => sign > 0,
  atMost: (sign: number) => sign <= 0,
  atLeast: (sign: number) => sign >= 0,
} as const

export type Order = keyof typeof orders

const names = Object.keys(orders) as Order[]

/** The order that a comparison asks for; undefined for any other one. */
export function toOrder(comparison: Comparison): { readonly order: Order; readonly than: Source } | undefined {
  if (typeof comparison !== 'object' || comparison === null) return undefined
  const given = comparison as Readonly<Partial<Record<Order, Source>>>
  const order = names.find(name => name in given)
  return order === undefined ? undefined : { order, than: given[order] ?? null }
}

/** True for two numbers, or two moments, in this order. False for any other values. */
export function isOrdered(value: Json, order: Order, other: Json): boolean {
  if (typeof value === 'number' && typeof other === 'number') return orders[order](value - other)
  const [one, another] = [readMoment(value), readMoment(other)]
  return one !== undefined && another !== undefined && orders[order](one - another)
}
