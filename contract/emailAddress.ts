import { z } from 'zod'

/** Characters, as RFC 5321 limits a path (D-009). */
const maxLength = 254
/** Dot-separated atoms (RFC 5321 section 4.1.2). zod's own rule rejects most of their special characters. */
const atom = "[A-Za-z0-9_!#$%&'*+\\-/=?^`{|}~]+"
const localPart = `${atom}(?:\\.${atom})*`
/** No two parts can match the same characters, so matching takes linear time. */
const label = '[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*'
/** Letters, or an internationalised label (RFC 5890 section 2.3.2.1). */
const topLevelDomain = '(?:[A-Za-z]{2,}|[Xx][Nn]--[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*)'

/** An e-mail address, in accounts, uploads and the topology file. */
export const emailAddress = z
  .email({
    pattern: new RegExp(`^${localPart}@(?:${label}\\.)+${topLevelDomain}$`),
    error: 'must be an e-mail address',
  })
  .max(maxLength)
