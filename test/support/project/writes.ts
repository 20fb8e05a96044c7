import { parseAst } from 'vitest/node'
import { isNode, type Node, walk } from '../../project/sources.ts'

/** Methods of collections that change them. */
const changing = new Set('set add push unshift splice pop shift delete clear sort reverse fill copyWithin'.split(' '))

/**
 * The names of a module's own state: top-level variables that are not constants, and top-level bindings that any code
 * writes to, by an assignment or by a method that changes a collection. A local variable of the same name counts, too.
 */
export function writesOf(text: string): string[] {
  const program = parseAst(text, { lang: 'ts' }) as unknown as Node
  const statements = (program.body as Node[]).map(node => (isNode(node.declaration) ? node.declaration : node))
  const variables = statements.filter(({ type }) => type === 'VariableDeclaration')
  const bound = new Set(statements.flatMap(boundBy))
  const written = walk(program).flatMap(targetOf).map(rootOf)
  return [
    ...new Set([
      ...variables.filter(({ kind }) => kind !== 'const').flatMap(boundBy),
      ...variables.filter(keepsItsPlace).flatMap(boundBy),
      ...written.filter(name => name !== undefined && bound.has(name)),
      ...walk(program).flatMap(staticField),
    ]),
  ] as string[]
}

/** The names of variables, imports, functions and classes that a statement binds. */
function boundBy({ type, declarations, specifiers, id }: Node): string[] {
  if (type === 'VariableDeclaration') return (declarations as Node[]).flatMap(({ id }) => namesIn(id))
  if (type === 'ImportDeclaration') return (specifiers as Node[]).flatMap(({ local }) => namesIn(local))
  return type === 'FunctionDeclaration' || type === 'ClassDeclaration' ? namesIn(id) : []
}

function namesIn(pattern: unknown): string[] {
  return [...walk(pattern)].flatMap(({ type, name }) => (type === 'Identifier' ? String(name) : []))
}

/** Finds regular expressions with `g` or `y`, which remember their position. */
function keepsItsPlace({ declarations }: Node): boolean {
  return (declarations as Node[]).some(
    ({ init }) => isNode(init) && /[gy]/.test((init.regex as { flags: string } | undefined)?.flags ?? ''),
  )
}

function targetOf(node: Node): unknown[] {
  if (node.type === 'AssignmentExpression') return [node.left]
  if (node.type === 'UpdateExpression') return [node.argument]
  if (node.type === 'UnaryExpression' && node.operator === 'delete') return [node.argument]
  const { callee } = node
  if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return []
  return isNode(callee.property) && changing.has(String(callee.property.name)) ? [callee.object] : []
}

/** Returns `a` for `a.b[c].d`. */
function rootOf(target: unknown): string | undefined {
  if (!isNode(target)) return undefined
  return target.type === 'MemberExpression' ? rootOf(target.object) : (target.name as string | undefined)
}

function staticField(node: Node): string[] {
  return node.type === 'PropertyDefinition' && node.static === true ? namesIn(node.key) : []
}
