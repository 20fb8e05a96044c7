// The form of a declaration, as types.
export type { Field, FieldName, Fields, OptionalField } from './fields.ts'
export type { ValueOf, ValuesOf } from './fieldTypes.ts'
export type { FlowDeclaration, Output, Outputs } from './flow.ts'
export type { RolesOf } from './roleTypes.ts'
export type { Comparison, Json, Path, Source, When } from './sources.ts'
export type {
  AskStep,
  BookStep,
  CallStep,
  ClockPoint,
  CompletingUpdate,
  FieldPoint,
  GoTo,
  OnError,
  OnTimeout,
  PointInTime,
  RunStep,
  SleepStep,
  Step,
  StepKind,
  StepRetryPolicy,
  WaitStep,
  Window,
  WorkingTimePoint,
} from './steps.ts'
