// Exits with 0 if a process of this container returns 200 at an address. The images have neither curl nor wget.
const [, , address] = process.argv
try {
  const { ok } = await fetch(address, { signal: AbortSignal.timeout(4_000) })
  process.exit(ok ? 0 : 1)
} catch {
  process.exit(1)
}
