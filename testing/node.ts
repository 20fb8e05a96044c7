/** The embedded store of the service needs it. */
const neededMajor = 24

/** @throws Error on a Node that cannot run the service */
export function requireNode(version: string = process.versions.node): void {
  if (Number.parseInt(version, 10) >= neededMajor) return
  throw new Error(
    `Node must be ${neededMajor} or later to start the service in this process, and is ${version}. ` +
      'Run the tests with a newer Node, or start the service elsewhere and use connectLockers.',
  )
}
