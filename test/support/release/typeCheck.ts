import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../project/sources.ts'

/**
 * Type-checks modules as if they were part of the source tree.
 * @param modules the text of each, by its file name
 * @returns the errors of the compiler; empty without one
 */
export async function typeCheck(modules: Readonly<Record<string, string>>, compilerOptions = {}): Promise<string> {
  // Ignored by git; inside the source tree, so that its packages and folders resolve.
  const folder = join(root, '.lockerflow', `types-${process.pid}-${++count}`)
  mkdirSync(folder, { recursive: true })
  try {
    for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, name), text)
    const config = { extends: join(root, 'tsconfig.json'), include: ['*.ts'], exclude: [], compilerOptions }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    return await compile(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

let count = 0

/**
 * Type-checks a configuration.
 * @param project its file or its folder
 * @param options further words for the compiler
 * @returns the errors of the compiler; empty without one
 */
export function compile(project: string, ...options: readonly string[]): Promise<string> {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [tsc, '-p', project, '--pretty', 'false', ...options],
      { cwd: root },
      (error, stdout) => {
        // The compiler fails with its errors in its output; without any, it did not run.
        if (error !== null && stdout === '') reject(error)
        else resolve(stdout)
      },
    )
  })
}
