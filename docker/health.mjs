// Whether a process of this container answers 200 at an address: the images have neither curl nor wget.
const [, , address] = process.argv
try {
  const { ok } = await fetch(address, { signal: AbortSignal.timeout(4_000) })
  process.exit(ok ? 0 : 1)
} catch {
  process.exit(1)
}
