/** Secrets of the demonstration and placeholders of the examples, in lower case. Everyone can read them. */
const publicSecrets: ReadonlySet<string> = new Set([
  // The built-in topology.
  'acme-secret',
  'globex-secret',
  // docker/topology.example.yaml, and examples of settings.
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

/** Characters and different characters of a secret that is stored as a hash. 24 random bytes have 32 to 48. */
const minLength = 24
const minDifferent = 8

/** Words of placeholders and of the secrets that this project publishes. A random secret contains none of them. */
const placeholders = /password|secret|change|example|placeholder|lockerflow/i

/** The rule that a weak client secret breaks in production (D-153). Does not quote the secret. */
export const mustBeStrong = `must be random, with at least ${minLength} characters, in production; make one with: openssl rand -hex 24`

/** True for a client secret that production refuses: public, guessable, or too short for a fast hash. */
export function isWeakSecret(text: string): boolean {
  return text.length < minLength || new Set(text).size < minDifferent || placeholders.test(text) || isPublicSecret(text)
}
