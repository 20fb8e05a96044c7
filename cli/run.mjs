// Runs a command of the project with the project's own Node: node cli/run.mjs <command> [arguments].
// Plain JavaScript for the Node of the machine, 14.14 or later: the project's own comes with the installed packages.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const isWindows = process.platform === 'win32'
const binaries = join(root, 'node_modules', '.bin')
const ownNode = isWindows ? join(root, 'node_modules', 'node', 'bin', 'node.exe') : join(binaries, 'node')
/** Versions of the machine's Node that run the project if the installed packages have none. */
const majors = ['24', '26']
/** Milliseconds in which the same signal counts once: a terminal and npm both send Ctrl-C. */
const repeatMs = 500
/** Seconds that a command has to end after SIGTERM when this process was killed. */
const graceSeconds = 12

const tsc = 'node_modules/typescript/bin/tsc'
const types = [
  [tsc, '-p', 'tsconfig.json'],
  [tsc, '-p', 'workflows/tsconfig.json'],
]
const lint = ['node_modules/@biomejs/biome/bin/biome', 'check', '.']

const program = 'cli/lockerflow.ts'

/** The programs of each command, one after another; the last one gets the arguments. */
const commands = {
  lockerflow: [[program]],
  dev: [[program, 'dev']],
  demo: [[program, 'demo']],
  test: [['test/main.ts']],
  'test:all': [['test/main.ts', 'all']],
  check: [lint, ['test/main.ts']],
  types,
  lint: [lint],
  build: [['worker/build.ts']],
  bench: [['bench/main.ts']],
  docs: [['cli/docs.ts'], ['test/conformance/page.ts']],
  record: [['test/replay/record.ts']],
  screenshots: [['test/screenshots/main.ts']],
  release: [['packages/build/publish.ts']],
}

/** The programs that a first argument of a command selects. */
const parts = {
  'test:all': { cluster: 'test/cluster/main.ts', attack: 'test/attack/main.ts', fuzz: 'test/fuzz/main.ts' },
  release: { packages: 'packages/build/main.ts', images: 'cli/images.ts', sbom: 'cli/sbom.ts' },
}

const say = line => process.stderr.write(`${line}\n`)

async function main([name, ...given]) {
  const part = new Map(Object.entries(parts[name] || {})).get(given[0])
  const programs = part ? [[part]] : new Map(Object.entries(commands)).get(name)
  const args = part ? given.slice(1) : given
  if (programs === undefined) {
    say(`usage: node cli/run.mjs <command> [arguments], where <command> is one of ${Object.keys(commands).join(', ')}`)
    return { code: 1 }
  }
  if (!canInstall()) {
    say(`${needed()} Install Node ${majors.join(' or ')} from https://nodejs.org, then run this command again.`)
    return { code: 1 }
  }
  await import('./install.mjs')
  if (process.exitCode) return { code: process.exitCode }
  const node = findNode()
  if (node === undefined) {
    say(
      `${needed()} The installed packages have no Node: npm was told to skip development packages or install scripts.`,
    )
    say(
      `Run npm ci --include=dev --ignore-scripts=false, or install Node ${majors.join(' or ')} from https://nodejs.org.`,
    )
    return { code: 1 }
  }
  let end = { code: 0 }
  for (const [index, program] of programs.entries()) {
    end = await run(node, index === programs.length - 1 ? [...program, ...args] : program)
    if (end.signal || end.code !== 0) break
  }
  return end
}

function needed() {
  return `lockerflow runs on Node ${majors.join(' or ')}, and this is Node ${process.versions.node}.`
}

/** True if this Node can run install.mjs. */
function canInstall() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 14 || (major === 14 && minor >= 14)
}

function findNode() {
  if (existsSync(ownNode)) return ownNode
  return majors.includes(process.versions.node.split('.')[0]) ? process.execPath : undefined
}

/** Runs a program to its end and passes signals to it. */
function run(node, [file, ...args]) {
  return new Promise(resolve => {
    const child = spawn(node, [join(root, file), ...args], {
      stdio: 'inherit',
      env: withBinaries(),
      // Tools read their configuration from the folder that they run in.
      cwd: file.startsWith('node_modules/') ? root : process.cwd(),
      // In a session of its own, so that Ctrl-C reaches it once, through this process.
      detached: !isWindows,
    })
    const stopForwarding = forwardSignals(child)
    const guard = isWindows ? undefined : startGuard(child)
    const finish = end => {
      stopForwarding()
      if (guard) guard.kill('SIGKILL')
      resolve(end)
    }
    child.once('error', error => {
      say(`${node} could not be started: ${error.message}`)
      finish({ code: 1 })
    })
    child.once('exit', (code, signal) => finish({ code, signal }))
  })
}

function forwardSignals(child) {
  const sent = {}
  const forward = signal => {
    const now = Date.now()
    if (now - (sent[signal] || 0) > repeatMs) child.kill(signal)
    sent[signal] = now
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, forward)
  // npm passes on neither SIGHUP nor its own end by SIGKILL: then this process, or its shell, has another parent.
  const starters = findStarters()
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event && findStarters() !== starters) forward('SIGTERM')
  }, 2 * repeatMs)
  return () => {
    clearInterval(watch)
    for (const signal of signals) process.removeListener(signal, forward)
  }
}

/** The process ids of the parent and, where the system has /proc, of the parent's parent: npm runs scripts by a shell. */
function findStarters() {
  try {
    const status = readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    return `${process.ppid} ${status.slice(status.lastIndexOf(')')).split(' ')[2]}`
  } catch {
    return String(process.ppid)
  }
}

function startGuard(child) {
  const script = join(root, 'testing', 'temporal', 'guard.sh')
  const guard = spawn('sh', [script, String(child.pid), String(graceSeconds)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Without a shell, a command outlives only the SIGKILL of this process.
  guard.once('error', () => undefined)
  return guard
}

/** The environment with the packages' commands on the path, as npm sets it. */
function withBinaries() {
  const name = Object.keys(process.env).find(key => key.toUpperCase() === 'PATH') || 'PATH'
  const environment = { ...process.env, [name]: [binaries, process.env[name] || ''].join(delimiter) }
  // This process notices the end of npm for its program.
  delete environment.npm_lifecycle_event
  return environment
}

main(process.argv.slice(2)).then(({ code, signal }) => {
  if (!signal) process.exit(code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
