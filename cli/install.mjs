// Makes node_modules match package-lock.json before anything else runs: silent when it does, `npm ci` when it does not.
// Plain JavaScript for whatever Node the machine has (14.14 or later): the project's own comes with this installation.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lockFile = join(root, 'package-lock.json')
const modules = join(root, 'node_modules')
/** npm's own record of what it installed; it writes it last, so an interrupted installation has none. */
const installedFile = join(modules, '.package-lock.json')
/** Our record: the digests of both files when they last agreed. */
const stampFile = join(modules, '.lockerflow-lock')
/** Not below node_modules, which npm ci empties. */
const guard = join(root, '.lockerflow', 'installing')
const heartbeatMs = 2000
const progressMs = 5000
const staleMs = 15000

const say = line => process.stderr.write(`${line}\n`)
const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

/** The reason for an installation. Undefined if the packages are complete. */
function reasonToInstall() {
  if (!existsSync(installedFile)) return existsSync(modules) ? 'node_modules is incomplete' : 'there is no node_modules'
  const wanted = readFileSync(lockFile, 'utf8')
  const installed = readFileSync(installedFile, 'utf8')
  const stamp = stampOf(wanted, installed)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return undefined
  const difference = firstDifference(JSON.parse(wanted).packages, Object.keys(JSON.parse(installed).packages))
  // A manual installation: remember it, and do not repeat it.
  if (difference === undefined) writeFileSync(stampFile, stamp)
  return difference
}

function firstDifference(wanted, installedPaths) {
  const withoutDev = omitsDev()
  for (const path of Object.keys(wanted).filter(key => key !== '')) {
    const { version, optional, devOptional, dev, link } = wanted[path]
    // A package of this repository: its folder is another entry.
    if (link) continue
    // Optional packages may be for another platform, and a production installation omits development packages.
    const mayBeMissing = optional || devOptional || (dev && withoutDev)
    const found = installedVersion(path)
    if (found === undefined && !mayBeMissing) return `${path} is not installed`
    if (found !== undefined && found !== version)
      return `${path} is installed in version ${found}, package-lock.json has ${version}`
  }
  const surplus = installedPaths.find(path => !(path in wanted))
  return surplus === undefined ? undefined : `${surplus} is installed and not in package-lock.json`
}

// Not out of npm's record: `npm install --package-lock-only` changes that without installing.
function installedVersion(path) {
  try {
    return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')).version
  } catch {
    return undefined
  }
}

function stampOf(wanted, installed) {
  const digests = [wanted, installed].map(text => createHash('sha256').update(text).digest('hex'))
  return `${digests.join(' ')}\n`
}

function omitsDev() {
  const { NODE_ENV, npm_config_omit: omitted = '' } = process.env
  return NODE_ENV === 'production' || omitted.split(/\s+/).includes('dev')
}

/** Takes the guard, waiting for another installation to end; one whose heartbeat has stopped was killed. */
async function takeGuard() {
  mkdirSync(dirname(guard), { recursive: true })
  for (let waited = false; ; waited = true) {
    try {
      mkdirSync(guard)
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!waited) say('Waiting for another installation of the packages to end.')
    if (isStale()) release()
    await pause(200)
  }
}

function isStale() {
  try {
    return Date.now() - statSync(guard).mtimeMs > staleMs
  } catch {
    return false
  }
}

function release() {
  try {
    rmdirSync(guard)
  } catch {
    // Another process released it first.
  }
}

function beat() {
  try {
    utimesSync(guard, new Date(), new Date())
  } catch {
    // Taken for stale after this machine slept: the installation is nearly over, let it end.
  }
}

async function install(reason) {
  say(`Installing packages with npm ci: ${reason}.`)
  const started = Date.now()
  const secondsSince = () => ((Date.now() - started) / 1000).toFixed(1)
  const packages = Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages)
  const isForThisMachine = ({ os = [process.platform], cpu = [process.arch] }) =>
    os.includes(process.platform) && cpu.includes(process.arch)
  const paths = packages.filter(([path, entry]) => path !== '' && isForThisMachine(entry)).map(([path]) => path)
  const heartbeat = setInterval(beat, heartbeatMs)
  const progress = setInterval(() => {
    const present = paths.filter(path => existsSync(join(root, path, 'package.json'))).length
    say(`  ${secondsSince()} s: ${present} of about ${paths.length} packages`)
  }, progressMs)
  process.once('exit', release)
  const problem = await npmCi()
  clearInterval(heartbeat)
  clearInterval(progress)
  const seconds = secondsSince()
  if (problem === undefined) {
    writeFileSync(stampFile, stampOf(readFileSync(lockFile, 'utf8'), readFileSync(installedFile, 'utf8')))
    say(`Packages installed in ${seconds} s.`)
  } else {
    say(`npm ci ${problem} after ${seconds} s, so there is nothing to run with. The output of npm is above.`)
    say(
      'Usual causes: no connection to the npm registry, or package.json and package-lock.json disagree (npm install).',
    )
    process.exitCode = 1
  }
}

function npmCi() {
  return new Promise(resolve => {
    const child = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      stdio: 'inherit',
      env: environmentOutsideModules(),
      shell: process.platform === 'win32',
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => child.kill(signal))
    child.once('error', error => resolve(`could not be started (${error.message})`))
    child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `failed (${signal || `exit code ${code}`})`))
  })
}

// npm scripts have node_modules/.bin first on the path: npm would run on the very Node that it is about to delete.
function environmentOutsideModules() {
  const name = Object.keys(process.env).find(key => key.toUpperCase() === 'PATH') || 'PATH'
  const folders = (process.env[name] || '')
    .split(delimiter)
    .filter(folder => relative(modules, folder).startsWith('..'))
  return { ...process.env, [name]: folders.join(delimiter) }
}

async function main() {
  if (!existsSync(lockFile)) {
    say(`There is no ${lockFile}: this is not a complete checkout.`)
    process.exitCode = 1
    return
  }
  if (reasonToInstall() === undefined) return
  await takeGuard()
  const reason = reasonToInstall()
  if (reason === undefined) release()
  else await install(reason)
}

await main()
