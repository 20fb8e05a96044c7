import { randomInt } from 'node:crypto'

/** Without what people confuse: 0 and O, 1 and I. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Eight random characters (docs/decisions.md, mailCode); a million accounts meet one twice with a chance of one half. */
export function newMailCode(): string {
  return Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
