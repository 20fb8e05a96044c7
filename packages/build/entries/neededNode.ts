declare const packageName: string
declare const neededNode: string

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const [neededMajor = 0, neededMinor = 0] = neededNode.split('.').map(Number)

if (major < neededMajor || (major === neededMajor && minor < neededMinor))
  throw new Error(
    `${packageName} needs Node ${neededNode} or later, and this is Node ${process.versions.node}. Install a newer Node from https://nodejs.org.`,
  )
