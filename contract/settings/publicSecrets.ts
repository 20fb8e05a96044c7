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
