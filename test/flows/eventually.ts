/** Asks until there is an answer; fails when there is none within the time, in milliseconds. */
export async function eventually<Answer>(
  ask: () => Answer | undefined | Promise<Answer | undefined>,
  within = 10_000,
): Promise<Answer> {
  for (const start = Date.now(); Date.now() - start < within; await new Promise(resolve => setTimeout(resolve, 20))) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
  }
  throw new Error(`nothing after ${within} ms`)
}

/** A promise and what settles it, for a fault that lasts until the test says so. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
