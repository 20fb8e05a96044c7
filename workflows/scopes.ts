// Names inside of blocks. The id of a token is the path of its scope: `parcels[A-1]/back.customer` or `nudges#3`.

/** The id of the list of a group, a case or a branch below a token. */
export function listId(up: string, block: string, branch?: string): string {
  return join(up, branch === undefined ? block : `${block}.${branch}`)
}

/** The id of an item of a list below a token. */
export function itemId(up: string, block: string, key: string): string {
  return join(up, `${block}[${encodeURIComponent(key)}]`)
}

/** The id of a round below a token, from 1. */
export function roundId(up: string, block: string, round: number): string {
  return join(up, `${block}#${round}`)
}

function join(up: string, part: string): string {
  return up === '' ? part : `${up}/${part}`
}

/** The path of a block below a token: all of its lists are under it. */
export function blockPath(up: string, block: string): string {
  return join(up, block)
}

/** True if a scope is another one, or inside of it. */
export function isUnder(id: string, scope: string): boolean {
  return scope === '' || id === scope || (id.startsWith(scope) && '/.[#'.includes(id.charAt(scope.length)))
}

/** The ids of a scope and of those around it, without the flow itself: the outermost first. */
export function scopesAround(id: string): string[] {
  if (id === '') return []
  const parts = id.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** The last part of an id: its block, and its branch, item or round. */
export function readScope(id: string): { block: string; branch?: string; item?: string; round?: number } {
  const last = id.slice(id.lastIndexOf('/') + 1)
  const [, block = '', item, round, branch] = /^([^.[#]*)(?:\[(.*)\]|#(\d+)|\.(.*))?$/.exec(last) ?? []
  return {
    block,
    ...(item !== undefined && { item: decodeURIComponent(item) }),
    ...(round !== undefined && { round: Number(round) }),
    ...(branch !== undefined && { branch }),
  }
}

/** The items and rounds in a scope or a key. */
function loopsIn(text: string): string[] {
  return text.match(/\[[^\]]*\]|#\d+/g) ?? []
}

/**
 * The key of a step's effect: its name outside of loops, `pack[A-1]` in an item, `remind#3` in a round. An idempotency key
 * and the id of an activity never repeat.
 */
export function toEffectKey(scope: string, name: string): string {
  return scope === '' ? name : name + loopsIn(scope).join('')
}

/** The key of a step's output or answer, or of a role: the last round of a step replaces those before it. */
export function toValueKey(scope: string, name: string): string {
  return scope === '' ? name : name + itemsOf(scope).join('')
}

/** The keys at which a name can be found from a scope: its own first, then those around it. */
export function keysFrom(scope: string, name: string): string[] {
  if (scope === '') return [name]
  const earlier = prefixesOf(loopsIn(scope)).filter(suffix => suffix.includes('#'))
  return [...earlier, ...prefixesOf(itemsOf(scope)), ''].map(suffix => name + suffix)
}

/** A key without what tells loops apart. */
export function toName(key: string): string {
  return key.replace(/\[[^\]]*\]|#\d+/g, '')
}

function itemsOf(scope: string): string[] {
  return loopsIn(scope).filter(part => part.startsWith('['))
}

/** The longest first. */
function prefixesOf(parts: readonly string[]): string[] {
  return parts.map((_, index) => parts.slice(0, index + 1).join('')).toReversed()
}

/** True if a scope or a key is in the same items as another one, or in one of these. */
export function isInItem(one: string, other: string): boolean {
  return itemsOf(one).join('').startsWith(itemsOf(other).join(''))
}

/** True if a scope is in the same items and rounds as another one, or in one of these. */
export function isInLoop(one: string, other: string): boolean {
  const own = loopsIn(one)
  return loopsIn(other).every((part, index) => own[index] === part)
}

/** True for a key of a round that is over. */
export function isOfRound(key: string): boolean {
  return key.includes('#')
}

/** The key of a value of a round that is over. */
export function toRoundKey(round: string, key: string): string {
  const name = toName(key)
  const ofRound = loopsIn(round)
  const own = key.slice(name.length).slice(itemsOf(round).join('').length)
  return name + ofRound.join('') + own
}
