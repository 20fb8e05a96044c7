import type { Json } from '#flows'
import type { LeftStep } from '#flows/pictureOfRun'
import type { Ending, Position } from './progress.ts'
import { isUnder } from './scopes.ts'
import type { Token } from './tokens.ts'

export function noteLeft(position: Position, left: LeftStep): void {
  // A list that grows by push has room for 16 more, which each waiting flow would keep.
  position.way = [...(position.way ?? []), left]
}

/** The first end counts. */
export function setEnding(position: Position, ending: Ending): void {
  position.ending ??= ending
}

export function setTokens(position: Position, tokens: Token[]): void {
  position.tokens = tokens
}

/** Forgets the way through a scope. */
export function dropWay(position: Position, scope: string): void {
  if (position.way !== undefined) position.way = position.way.filter(({ token = '' }) => !isUnder(token, scope))
}

export function addItems(position: Position, items: Readonly<Record<string, Json>>): void {
  position.items = { ...position.items, ...items }
}
