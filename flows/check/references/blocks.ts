import type { FlowDeclaration, Step } from '#flows/declaration'
import type { FieldPath, Finding } from '../fault.ts'
import { limits } from '../form/parts/sentences.ts'
import { bookedBy, outputOf } from '../model/flow.ts'
import { holdersOf, type PlacedList, type PlacedStep, treeOf } from '../model/tree.ts'
import { allPaths } from './paths.ts'

/** Findings of blocks: their names and limits. */
export function blockFindings(flow: FlowDeclaration): Finding[] {
  const tree = treeOf(flow)
  return [...limitFindings(tree), ...tree.flatMap(nameFindings)]
}

function limitFindings(tree: readonly PlacedStep[]): Finding[] {
  const outer = tree.filter(({ list }) => list.holder === undefined)
  const instances = sum(outer.map(instancesOf))
  const tokens = 1 + sumOrMost(outer)
  const deep = tree.find(placed => holdersOf(placed).length >= limits.depth && placed.lists.length > 0)
  return [
    ...(deep ? [limit(deep.at, `must be at most ${limits.depth} blocks deep.`)] : []),
    ...(tree.length > limits.steps
      ? [limit(['steps'], `must have at most ${limits.steps} steps in all, got ${tree.length}.`)]
      : []),
    ...(instances > limits.instances
      ? [
          limit(
            ['steps'],
            `must run at most ${limits.instances} steps, with those of each item and round, got ${instances}.`,
          ),
        ]
      : []),
    ...(tokens > limits.tokens
      ? [limit(['steps'], `must have at most ${limits.tokens} lists at once, with those of each item, got ${tokens}.`)]
      : []),
  ]
}

/** The steps that can run, with those of each item and round. */
function instancesOf({ step, lists }: PlacedStep): number {
  const inner = sum(lists.flatMap(({ steps }) => steps.map(instancesOf)))
  if ('forEach' in step) return 1 + inner * step.atMost
  return 1 + ('repeat' in step ? inner * step.repeat.atMost : inner)
}

/** The lists that a step runs at once. */
function tokensOf({ step, lists }: PlacedStep): number {
  const inner = lists.map(({ steps }) => 1 + sumOrMost(steps))
  if ('parallel' in step) return sum(inner)
  return 'forEach' in step ? (inner[0] ?? 0) * Math.min(step.atOnce ?? step.atMost, step.atMost) : Math.max(0, ...inner)
}

/** Of the steps of a list only one runs at a time. */
function sumOrMost(steps: readonly PlacedStep[]): number {
  return Math.max(0, ...steps.map(tokensOf))
}

function nameFindings({ step, at }: PlacedStep): Finding[] {
  if (!('parallel' in step)) return []
  const names = step.parallel.map(({ name }) => name)
  const twice = names.findIndex((name, index) => names.indexOf(name) < index)
  if (twice < 0) return []
  const text = `must be unique in the block, but an earlier branch is "${names[twice]}".`
  return [{ at: [...at, 'parallel', twice, 'name'], code: 'DuplicateName', text }]
}

/** Findings of paths to what other branches or items have: it exists at another time, or several times. */
export function escapeFindings(flow: FlowDeclaration): (Finding & { readonly path: string })[] {
  const tree = treeOf(flow)
  const homes = new Map<string, PlacedStep>()
  for (const placed of tree) for (const name of namesOf(placed.step)) homes.set(name, placed)
  return tree.flatMap(placed =>
    allPaths(placed.step).flatMap(({ path, at: place }): (Finding & { readonly path: string })[] => {
      const [head = ''] = path.split('.')
      const home = homes.get(head)
      if (home === undefined) return []
      const at = [...placed.at, ...place]
      const [item, branch] = [itemAround(home, placed), branchBeside(home, placed)]
      if (item !== undefined) {
        const text = `must not lead into an item of "${item.step.name}": "${path}" exists in each of them. Name it in collect, and read the items of the block.`
        return [{ at, code: 'ItemEscapes' as const, text, path }]
      }
      if (branch === undefined) return []
      const text = `must not lead into another branch of "${branch.step.name}", which runs at the same time. Read "${path}" after the block.`
      return [{ at, code: 'ReadsBeside' as const, text, path }]
    }),
  )
}

function namesOf(step: Step): string[] {
  return [...(outputOf(step) === undefined ? [] : [step.name]), ...bookedBy(step)]
}

/** The loop over a list that has the one step and not the other. */
function itemAround(home: PlacedStep, reader: PlacedStep): PlacedStep | undefined {
  const around = new Set([reader, ...holdersOf(reader)])
  return holdersOf(home).find(holder => 'forEach' in holder.step && !around.has(holder))
}

function branchBeside(home: PlacedStep, reader: PlacedStep): PlacedStep | undefined {
  const lists = new Set<PlacedList>([reader, ...holdersOf(reader)].map(({ list }) => list))
  const own = [home, ...holdersOf(home)].map(({ list }) => list)
  const beside = own.find(
    list =>
      !lists.has(list) && list.holder !== undefined && 'parallel' in list.holder.step && isInside(reader, list.holder),
  )
  return beside?.holder
}

function isInside(placed: PlacedStep, holder: PlacedStep): boolean {
  return holdersOf(placed).includes(holder)
}

function limit(at: FieldPath, text: string): Finding {
  return { at, code: 'LimitExceeded', text }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
