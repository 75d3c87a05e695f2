/** Boxes in which agents and checks run, their limits, and what is hidden in what they print. */
export { EGRESS_PORT } from './box-egress.ts';
export type { BoxFault } from './box-faults.ts';
export {
  type CommandSandbox,
  type ContainmentOutcome,
  type ContainmentSetting,
  createSandbox,
  endWithoutBox,
  prepareBox,
} from './create-sandbox.ts';
export { createExposedSecrets, type ExposedSecrets, type SecretSearch } from './exposed-secrets.ts';
export {
  createHidingChat,
  createHidingChecks,
  createHidingExecutor,
  createHidingNotes,
} from './hide-exposed-secrets.ts';
export { CALL_GROUPS, CONTAINER_ENGINES, DEFAULT_LIMITS, MAX_OUTPUT_MB } from './box-settings.ts';
export { isDiskFull, toDiskFailure } from './resource-limits.ts';
export { MIN_SECRET_LENGTH, readSignInSecrets } from './secret-encodings.ts';
export { probeContainment } from './probe-containment.ts';
export { findToolchains } from './toolchains.ts';
export type { BoxReach } from './wrap-command.ts';
export { pruneContainers } from './prune-containers.ts';
export { findHostEngine } from './containers/container-engine.ts';
