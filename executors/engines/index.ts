/** Agent programs behind one contract: which there are, what they need, and how a round runs. */
export { reapplyPatch } from './builtin/edits/apply-patch.ts';
export { readNamedModel } from './builtin/named-model.ts';
export { findCostCaution } from './cost-cautions.ts';
export {
  AGENT_NAMES,
  type AgentName,
  AgentsSettings,
  type ConfiguredEngineName,
  ENGINE_NAMES,
  isAgentEngine,
  NO_SETTINGS,
  PROPOSING_ENGINES,
} from './engine-settings.ts';
export {
  AGENT_CLIS,
  createEngines,
  credentialsFor,
  type OperatorEnvironment,
  rememberExposedSecrets,
} from './engines.ts';
export {
  listCredentialVariables,
  selectCredentials,
  isSecretVariable,
  secretsInVariable,
} from './shared/engine-credentials.ts';
export { findModelAddress } from './shared/model-access.ts';
export { type AgentProgram, findProgram } from './shared/find-program.ts';
