/** The secrets and access codes that a text contains. A code is six digits, so it must not be a part of a longer number. */
export function findIn(text: string, secrets: readonly string[], codes: readonly string[] = []): string[] {
  const found = codes.filter(code => new RegExp(`(?<!\\d)${code}(?!\\d)`).test(text))
  return [...found, ...secrets.filter(secret => text.includes(secret))]
}
