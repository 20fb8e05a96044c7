// The entry `service`: the service of the specification, in a process of your own.
export {
  type Door,
  defaultSettings,
  demoTopology,
  type Hardware,
  type Opening,
  type Service,
  type Settings,
  startService,
  type Topology,
} from '#service'
