/** What is changed, and which tests must notice: fast ones, which run in one process. */
const core = (...names: string[]): string[] => names.map((name) => `tests/core/${name}.test.ts`);
const contracts = (...names: string[]): string[] => names.map((name) => `tests/contracts/${name}.test.ts`);

export const GROUPS = {
  gate: {
    files: [
      'orchestrator/core/machine/on-card.ts',
      'orchestrator/effects/open-pr.ts',
      'orchestrator/effects/opening.ts',
      'orchestrator/effects/push.ts',
      'orchestrator/effects/modify.ts',
      'orchestrator/effects/read-back.ts',
    ],
    tests: [
      ...core('gate', 'denied', 'modify', 'pausing', 'facts', 'machine', 'told'),
      ...contracts('last-doors', 'late-answers', 'read-back', 'rewording'),
    ],
  },
  seal: {
    files: ['orchestrator/core/seal.ts', 'orchestrator/engine/digest.ts', 'db/integrity/seal.ts'],
    tests: [...core('seal', 'order', 'gate'), ...contracts('row-macs', 'receipt', 'tokens', 'last-doors')],
  },
  govern: {
    files: [
      'orchestrator/core/govern/**/*.ts',
      '!orchestrator/core/govern/secret-shapes.ts',
      'orchestrator/core/policy-settings.ts',
    ],
    tests: [
      ...core(
        'govern',
        'govern-recorded',
        'govern-operator',
        'govern-policies',
        'govern-repository',
        'govern-secrets',
      ),
      ...core(
        'judges',
        'grade',
        'evidence',
        'hiding',
        'invisible',
        'publish',
        'order',
        'modify',
        'discovery',
      ),
      ...contracts('judgements', 'settings'),
    ],
  },
  receipt: {
    files: [
      'orchestrator/core/publish/*.ts',
      'orchestrator/engine/receipt.ts',
      'orchestrator/core/branches.ts',
      'orchestrator/core/public-text.ts',
    ],
    tests: [
      ...core('publish', 'publish-recorded', 'branch', 'govern', 'discovery'),
      ...contracts('receipt', 'prompt'),
    ],
  },
  permissions: {
    files: ['bot/commands/roles.ts', 'orchestrator/core/roles.ts', 'forge/access.ts'],
    tests: contracts('people', 'access', 'commands'),
  },
  tokens: {
    files: ['bot/commands/tokens.ts', 'bot/tell.ts', 'bot/documents.ts', 'bot/refusals.ts', 'bot/places.ts'],
    tests: contracts('tokens', 'tell', 'tell-refused', 'tell-again'),
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
