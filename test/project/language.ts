import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'
import { type Node, root, walk } from './sources.ts'

/** A word or a phrase that the house does not use, and the one that it uses. */
export interface Rule {
  readonly pattern: RegExp
  readonly instead: string
}

/** Words of identifiers: names that the code had, or that have several meanings. Matched against whole identifiers. */
export const identifierRules: readonly Rule[] = [
  { pattern: /^[A-Z]\w*Order$/, instead: 'the argument that it is: BookShipmentsInput, CancelUpdate' },
  { pattern: /^(Course|course|courseOf)$/, instead: 'FlowProgress, progress' },
  { pattern: /^(carryOn|carryingOn|isTimeToCarryOn|isAlone)$/, instead: 'shouldContinueAsNew, isQuiescent' },
  { pattern: /^(stirred|heardAt|noteHeard|lookWanted|untaken|unsent)$/, instead: 'the names of FlowContext' },
  { pattern: /^(Alarm|createAlarm|rang|beginIn)$/, instead: 'StageTimer, fired, startInScope' },
  { pattern: /^(look[A-Z]\w*|looks|Looks|nextLook)$/, instead: 'poll' },
  { pattern: /^(hear|learn|learnOne|standingOf|takeHold)$/, instead: 'applyCallback, applySnapshot, compareStates' },
  {
    pattern: /^(surplus\w*|giveBack|settleBooking|settleEnd|whatIsLeft|unsure|maybeDone)$/,
    instead: 'duplicateBookings',
  },
  { pattern: /^(patience|patient\w*|blindAttempts|unrepeatable)$/, instead: 'a retry policy by name' },
  { pattern: /^(handsBack|endWithout|endUnbooked|firstInFront|withRoles|priorOf)$/, instead: 'outputs, assignRoles' },
  { pattern: /^(notice|notices|Notice\w*|mostUnsent|plannedNotices)$/, instead: 'notification' },
  { pattern: /^(swaps|follows|circles)$/, instead: 'swap, subsequent, circular' },
  {
    pattern: /^(lifetimeOf|Lifetime|hindrance|codeIn|readPlace)$/,
    instead: 'versioningBehavior, notReadyReason',
  },
  { pattern: /^(whileAlive|betweenBeats|pulse)$/, instead: 'withHeartbeat, heartbeatInterval' },
  { pattern: /^(repeatedly|isPassing|afterthought|cutOff)$/, instead: 'retryUpdate, isTransient, graceTimeout' },
  {
    pattern: /^(NoAnswer|StrangeAnswer|withAbsentAsNull)$/,
    instead: 'TransportError, MalformedResponse, nullForMissing',
  },
  { pattern: /^(turnComes|passesOn|waitsByCircle)$/, instead: 'priorAdvanced, feedsStock, isCircularLink' },
  { pattern: /^(takeTurn|tryTurn|othersTurn|createTurns)$/, instead: 'advisoryLock, semaphore, yieldToEventLoop' },
  {
    pattern: /^(admission|admit|endThatStays|keepsChanges|Facts)$/,
    instead: 'authenticate, commitRefusal, RequestContext',
  },
  { pattern: /^(takeLocker|takeThatLocker|takeFree|whyNone|takeCodes)$/, instead: 'reserveLocker, reasonUnavailable' },
  { pattern: /^refuse[A-Z]\w*$/, instead: 'reject…, assert…' },
  { pattern: /^(Alongside|Moment)$/, instead: 'extraColumns, TransactionContext' },
  {
    pattern: /^(longestWish|wokenMeanwhile|underWay|firstRetry|longestRetry)$/,
    instead: 'maxRetryAfter, wakePending, inFlight',
  },
  {
    pattern: /^(privateCallbacks|urlFault|formFault|mayDial|weak[A-Z]\w*|Weak(?!Map$)[A-Z]\w*)$/,
    instead: 'allowPrivateNetworks, uidSignature',
  },
  {
    pattern: /^(foldKeys|clash|zoneless|Millis|Flag)$/,
    instead: 'normalizeKeys, duplicateKey, EpochMillis, SqlBoolean',
  },
  {
    pattern: /^(farewell|lastMoment|comeBack|lookAgain|silence)$/,
    instead: 'drainDelay, killAfter, defaultRetryAfter',
  },
  {
    pattern: /^(wrongSecrets|knownKeys|inTheWay|preparingClient)$/,
    instead: 'secretThrottle, jwksCache, retryableSqlStates',
  },
  {
    pattern: /^with(Row|Use|Removal)Lock$|^pastLockedRows$|^takingEndings$/,
    instead: 'forNoKeyUpdate, forKeyShare, skipLocked',
  },
]

/** Words of strings and of file names: settings, log fields, error codes and columns that have another name. */
export const nameRules: readonly Rule[] = [
  { pattern: /LOCKERFLOW_LOOK_/, instead: 'LOCKERFLOW_POLL_' },
  { pattern: /LOCKERFLOW_NOTICES_/, instead: 'LOCKERFLOW_NOTIFICATIONS_' },
  { pattern: /\bStrangeAnswer\b/, instead: 'MalformedResponse' },
  { pattern: /\bNoAnswer\b/, instead: 'NoResponse' },
  { pattern: /\bstate_start\b/, instead: 'state_since' },
  { pattern: /\bthe weak (?:signature|scheme)\b/, instead: 'the uid signature' },
]

/** Names of files that say a mood or nothing. */
export const fileRules: readonly Rule[] = [
  {
    pattern: /\/(hearing|looking|beginning|settling|surplus|carryingOn|interpreter|boardLists|planning)\.ts$/,
    instead: 'a noun',
  },
  {
    pattern: /\/(aside|asking|repeating|touch|following|issuing|turns|batches|wrongSecrets|knownKeys)\.ts$/,
    instead: 'a noun',
  },
]

/** Sentences that read as translated. Matched against comments, strings of several words and Markdown. */
export const proseRules: readonly Rule[] = [
  {
    pattern: /(?:^|[.!?:]\s+)(?:What|Whoever|Whatever|Whether|Nobody|Somebody)\b(?![^.!?]*\?)/,
    instead: 'a subject that is named',
  },
  { pattern: /(?:^|[.!?]\s+)Of (?!course)/, instead: 'the subject first' },
  { pattern: /\b(?:[Nn]obody|[Ss]omebody|[Ww]hoever)\b/, instead: 'the role: the caller, the operator, the receiver' },
  { pattern: /\bis none\b|\bnone of ours\b|\bis no [a-z]+ of ours\b/, instead: 'absent, invalid, unknown' },
  { pattern: /\bholds?\b[^.]*\bagainst\b/, instead: 'checks … against' },
  { pattern: /\bhas to be\b/, instead: 'must be' },
  { pattern: /\ball the same\b/, instead: 'anyway, or nothing' },
  { pattern: /\b[Mm]end(?:s|ed|ing)?\b/, instead: 'fix, restore, or the remedy' },
  { pattern: /\b(?:the|a|an|its|this|each|of) begin\b/, instead: 'the start' },
]

/** Beginnings of doc comments that point at their neighbour. An editor shows one comment alone. */
export const docCommentRules: readonly Rule[] = [
  { pattern: /^(?:The same\b|Those\b|Both\b|Neither\b)/, instead: 'a sentence that names its subject' },
]

/** A piece of text and the line where it begins. */
export interface Passage {
  readonly line: number
  readonly text: string
}

/** A passage whose line is counted when it is read: of hundreds of thousands, only objections name theirs. */
function passageAt(whole: string, index: number, text: string): Passage {
  return {
    text,
    get line() {
      return whole.slice(0, index).split('\n').length
    },
  }
}

/** The comments of a TypeScript file that begin with two asterisks. */
export function docCommentsOf(text: string): Passage[] {
  return commentsIn(text).flatMap(({ index, passage }) => (text.startsWith('/**', index) ? [passage] : []))
}

/** The comments of a TypeScript file, each as one line of text. */
export function commentsOf(text: string): Passage[] {
  return commentsIn(text).map(({ passage }) => passage)
}

function commentsIn(text: string): { readonly index: number; readonly passage: Passage }[] {
  const blank = [...text]
  for (const { type, start, end } of literalsOf(text)) {
    // Keeps the quotes, so that what is left is still a program.
    const margin = type === 'Literal' ? 1 : 0
    for (let at = start + margin; at < end - margin; at++) if (blank[at] !== '\n') blank[at] = '_'
  }
  const code = blank.join('')
  const found = [...code.matchAll(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+|\/\/.*$/gm)]
  return found.map(({ index, 0: { length } }) => {
    const lines = text.slice(index, index + length).split('\n')
    const words = lines.map(line => line.replace(/^\s*(\/\*\*?|\*\/|\*|\/\/)?\s?/, '').replace(/\*\/\s*$/, ''))
    return { index, passage: passageAt(text, index, words.join(' ').trim()) }
  })
}

/** The strings of a TypeScript file that are sentences or parts of one: four words or more. */
export function sentencesOf(text: string): Passage[] {
  return literalsOf(text)
    .filter(({ value }) => /(?:[\p{L}’']+[,;:]? ){3}/u.test(value))
    .map(({ start, value }) => passageAt(text, start, value))
}

/** The identifiers that a TypeScript file declares or uses. */
export function identifiersOf(text: string): Passage[] {
  return nodesOf(text)
    .filter(node => node.type === 'Identifier' && typeof node.name === 'string')
    .map(node => passageAt(text, Number(node.start), String(node.name)))
}

/** The paragraphs, list items and cells of a Markdown page, without code. */
export function paragraphsOf(text: string): Passage[] {
  const prose = text
    .replaceAll(/^```[\s\S]*?^```/gm, block => block.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`/g, 'x')
  return prose.split('\n').flatMap((line, index) =>
    line
      .replace(/^\s*(?:[#>*-]+|\d+\.)\s+/, '')
      .split('|')
      .map(cell => ({ line: index + 1, text: cell.trim() }))
      .filter(cell => cell.text !== ''),
  )
}

/** One sentence for each match: the place, the word and what to write. */
export function objections(path: string, passages: readonly Passage[], rules: readonly Rule[]): string[] {
  return passages.flatMap(passage =>
    rules.flatMap(({ pattern, instead }) => {
      const { text } = passage
      const match = pattern.exec(text)
      if (match === null) return []
      const around = text.slice(Math.max(0, match.index - 20), match.index + match[0].length + 40)
      // Counting the lines takes longer than all patterns.
      return [`${path}:${passage.line} "${around}": ${instead}`]
    }),
  )
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

interface LiteralText {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly value: string
}

function literalsOf(text: string): LiteralText[] {
  return nodesOf(text).flatMap(node => {
    const { type, start, end } = node as Node & { start: number; end: number }
    if (type === 'Literal' && (typeof node.value === 'string' || 'regex' in node)) {
      return [{ type, start, end, value: typeof node.value === 'string' ? node.value : '' }]
    }
    return type === 'TemplateElement' ? [{ type, start, end, value: text.slice(start, end) }] : []
  })
}

/** The last text with its nodes: comments and sentences of a file are read one after the other. */
let last: { readonly text: string; readonly nodes: readonly Node[] } | undefined

function nodesOf(text: string): readonly Node[] {
  if (last?.text !== text) last = { text, nodes: walk(parseAst(text, { lang: 'ts' })) }
  return last.nodes
}
