/** Waits for Ctrl-C or for the order to end. */
export function interrupted(): Promise<void> {
  return new Promise(resolve => {
    const end = () => resolve()
    process.once('SIGINT', end).once('SIGTERM', end)
  })
}
