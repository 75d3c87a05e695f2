/** Boxes in which agents and checks run, their limits, and what is hidden in what they print. */
export { EGRESS_PORT } from './box-egress.ts';
export {
  type BoxReach,
  type CommandSandbox,
  type ContainmentOutcome,
  type ContainmentSetting,
  createContainment,
  probeContainment,
} from './contain-command.ts';
export { createExposedSecrets, type ExposedSecrets, type SecretSearch } from './exposed-secrets.ts';
export { hidingChat, hidingChecks, hidingExecutor, hidingNotes } from './hide-exposed-secrets.ts';
export { DEFAULT_LIMITS, isDiskFull } from './resource-caps.ts';
export { MIN_SECRET_LENGTH, secretsOfSignIn } from './secret-encodings.ts';
export { findToolchains } from './toolchains.ts';
