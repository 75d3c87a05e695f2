/** What is changed, and which tests must notice: fast ones, which run in one process. */
const core = (...names: string[]): string[] => names.map((name) => `tests/core/${name}.test.ts`);
const contracts = (...names: string[]): string[] => names.map((name) => `tests/contracts/${name}.test.ts`);

export const GROUPS = {
  gate: {
    files: [
      'orchestrator/kernel/gate/sign-approval.ts',
      'orchestrator/kernel/gate/on-denial.ts',
      'orchestrator/kernel/gate/open-pr.effect.ts',
      'orchestrator/kernel/gate/verify-opened-pull.io.ts',
      'orchestrator/kernel/gate/push.effect.ts',
      'orchestrator/kernel/gate/modify-proposal.effect.ts',
      'orchestrator/kernel/gate/retry-read-back.io.ts',
    ],
    tests: [
      ...core(
        'gate',
        'one-card',
        'answers',
        'denied',
        'modify',
        'pausing',
        'facts',
        'machine',
        'told',
        'reviews',
      ),
      ...contracts(
        'last-doors',
        'doors-tell',
        'late-answers',
        'read-back',
        'read-backs',
        'rewording',
        'forks',
        'doors-forks',
        'describe',
      ),
    ],
  },
  seal: {
    files: ['model/seal/seal.ts', 'orchestrator/kernel/runtime/content-hash.ts', 'db/integrity/row-mac.ts'],
    tests: [...core('seal', 'order', 'gate'), ...contracts('row-macs', 'receipt', 'tokens', 'last-doors')],
  },
  govern: {
    files: ['governor/**/*.ts', '!text-safety/secret-shapes.ts', 'model/settings/policy-settings.ts'],
    tests: [
      ...core(
        'govern',
        'govern-recorded',
        'govern-operator',
        'govern-policies',
        'govern-repository',
        'govern-rules',
        'bans',
        'rules-edges',
        'govern-secrets',
        'govern-edges',
        'govern-texts',
        'govern-names',
        'risk-edges',
        'secret-places',
      ),
      ...core(
        'check-config',
        'check-config-names',
        'check-config-leads',
        'check-config-manifest',
        'grade',
        'evidence',
        'hiding',
        'invisible',
        'publish',
        'order',
        'modify',
        'discovery',
      ),
      ...contracts('assessment-reasons', 'settings'),
    ],
  },
  receipt: {
    files: [
      'pull-text/*.ts',
      'orchestrator/receipts/pull-receipt.ts',
      'model/pull/branch-names.ts',
      'text-safety/neutralise-text.ts',
    ],
    tests: [
      ...core('publish', 'publish-recorded', 'body', 'bodies-judged', 'answers', 'branch', 'govern'),
      ...core('discovery', 'risk-edges'),
      ...contracts('receipt', 'prompt', 'describe'),
    ],
  },
  permissions: {
    files: ['bot/commands/user-roles.ts', 'model/settings/roles.ts', 'forge/author-access.ts'],
    tests: contracts('people', 'access', 'commands'),
  },
  tokens: {
    files: [
      'bot/commands/button-tokens.ts',
      'bot/deliver-message.ts',
      'bot/file-messages.ts',
      'bot/telegram-backoff.ts',
      'bot/moved-chats.ts',
    ],
    tests: [
      ...contracts('tokens', 'tell', 'tell-refused', 'tell-again', 'tell-places', 'attention', 'phrases'),
      ...contracts('album', 'pictures', 'denying', 'ways-out'),
    ],
  },
} as const satisfies Record<string, { files: readonly string[]; tests: readonly string[] }>;

export type GroupName = keyof typeof GROUPS;
export const groupNames = [
  'gate',
  'seal',
  'govern',
  'receipt',
  'permissions',
  'tokens',
] as const satisfies readonly GroupName[];
