import type { NamesAt, NoPath, TypeFault, ValueAt } from './scope.ts'

/** A condition, or a list of them, whose paths lead to values, and whose comparisons are with values of their types. */
export type ConditionOf<Scope, When> = When extends readonly unknown[]
  ? { [Index in keyof When]: ConditionOf<Scope, When[Index]> }
  : {
      [Key in keyof When]: Key extends 'any' | 'all' | 'not'
        ? ConditionOf<Scope, When[Key]>
        : [ValueAt<Scope, Key>] extends [never]
          ? TypeFault<NoPath<Key>, NamesAt<Scope, Key>>
          : ComparisonOf<Scope, ValueAt<Scope, Key>, When[Key]>
    }

type ComparisonOf<Scope, Value, Given> = Given extends object
  ? {
      [Key in keyof Given]: Key extends 'present'
        ? boolean
        : OtherOf<Scope, Key extends 'lessThan' ? Value & (number | string) : Value, Given[Key]>
    }
  : ConstantOf<Value, Given>

/** A constant, a list of them, or a path. */
type OtherOf<Scope, Value, Other> = Other extends readonly unknown[]
  ? { [Index in keyof Other]: ConstantOf<Value, Other[Index]> }
  : Other extends { from: infer Path extends string }
    ? [ValueAt<Scope, Path> & Value] extends [never]
      ? { from: TypeFault<`must be a path of the type that it is compared with: ${Path}`, Value> }
      : Other
    : ConstantOf<Value, Other>

/** The paths that the condition of a step demands: a comparison with a value, at the top of the condition or in its `all`. */
export type PresentIn<Step> = Step extends { when: infer When }
  ? When extends { all: readonly (infer Part)[] }
    ? DemandedIn<Part>
    : DemandedIn<When>
  : never
type DemandedIn<When> = When extends unknown
  ? { [Path in keyof When]: When[Path] extends Demand ? Path : never }[keyof When]
  : never
type Demand = Value | { present: true } | { lessThan: unknown } | { is: Value } | { in: readonly Value[] }
type Value = string | number | true

/** Null and false ask whether a value is absent, which the types of a flow do not tell. */
type ConstantOf<Value, Given> = Given extends Value | null | false
  ? Given
  : TypeFault<'must be a value of the type that it is compared with', Value>
