/** Results of checks on the change and on its base. */
export {
  BASELINE_LASTS,
  Baseline,
  BaselineStop,
  ObservedToolchain,
  alikeStops,
  compareWithBaseline,
  faultOf,
  flakyOf,
  gapOnBase,
  isRed,
  notInstalled,
  redOf,
  stopsOf,
  toolVersionMismatches,
} from './baseline.ts';
export {
  CheckConfigFiles,
  CheckResult,
  ContainmentLevel,
  ExposedCredential,
  blocksChange,
  countsFailures,
  passingOnlyWithChange,
  provesSomething,
  redAsBefore,
  redUnnamed,
} from './check-results.ts';
