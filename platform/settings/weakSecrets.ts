/** Secrets of the demonstration and placeholders of the examples, in lower case. Everyone can read them. */
const publicSecrets: ReadonlySet<string> = new Set([
  // The built-in topology.
  'acme-secret',
  'globex-secret',
  // deploy/docker/topology.example.yaml, and examples of settings.
  'the-same-as-lockerflow_client_secret',
  'choose-32-random-characters-here',
  'choose-32-random-characters-too.',
  'the-32-characters-chosen-before..',
  '2026-11:zxhhbxbszsbvzibhigtlesb3axroidmyigj5dgvzli4=',
  // Words that stand for a secret in documentation.
  'password',
  'secret',
  'changeme',
])

/** True for a secret that is public, or the word for one. Production refuses it. */
export function isPublicSecret(text: string): boolean {
  return publicSecrets.has(text.toLowerCase())
}

/** Different characters or bytes of a secret. Eight random letters have as many, and a repeated one has 1. */
const minDifferent = 6

/** True for a secret that production refuses wherever a process reads one: public, or of few different characters or bytes. */
export function isWeakSecret(secret: string | Uint8Array): boolean {
  return countDifferent(secret) < minDifferent || (typeof secret === 'string' && isPublicSecret(secret))
}

function countDifferent(secret: string | Uint8Array): number {
  return new Set<unknown>(secret).size
}

/** The secrets in the text of a variable. */
export type FindSecrets = (text: string) => readonly (string | Uint8Array)[]

/** The password of a URL, if it has one. */
export function passwordOf(url: string): string[] {
  const password = URL.parse(url)?.password
  return password ? [password] : []
}

/** The entries of a list, which commas, blanks or lines separate. */
export function entriesOf(list: string): string[] {
  return list.split(/[\s,]+/).filter(entry => entry !== '')
}

/** The bytes of the keys of a ring. */
export function ringKeysOf(ring: string): Buffer[] {
  return entriesOf(ring).map(entry => Buffer.from(entry.replace(/^[^:]*:/, ''), 'base64'))
}

/** Characters and different characters of a secret that is stored as a hash. 24 random bytes have 32 to 48. */
const minLength = 24
const minDifferentOfHashed = 8

/** Words of placeholders and of the secrets that this project publishes. A random secret contains none of them. */
const placeholders = /password|secret|change|example|placeholder|lockerflow/i

/** The rule that a weak client secret breaks in production. Does not quote the secret. */
export const mustBeStrong = `must be random, with at least ${minLength} characters, in production; make one with: openssl rand -hex 24`

/** True for a client secret that production refuses: weak, guessable, or too short for a fast hash. */
export function isWeakClientSecret(text: string): boolean {
  const isShort = text.length < minLength || countDifferent(text) < minDifferentOfHashed
  return isShort || placeholders.test(text) || isWeakSecret(text)
}
