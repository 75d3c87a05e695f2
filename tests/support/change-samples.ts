/** Changes as agents report them: order, diff, checks and report. */
import { RunBounds } from '#model/limits';
import type { CheckResult } from '#model/evidence';
import type { FileChange } from '#model/change';
import { Order } from '#model/order';
import type { RequirementAnswers } from '#model/requirements';
import type { ReportedChange } from '#model/agent';
import { pullBody, composePullTitle } from '../../pull-text/pull-body.ts';
import { commit as sampleCommit, contract as sampleContract } from './core-samples.ts';
import { saying } from './published.ts';

export type Sample = {
  goal: string;
  said: Partial<ReportedChange>;
  files: readonly (readonly [path: string, added: number, deleted: number])[];
  patch: string;
  checks: readonly CheckResult[];
  answers?: RequirementAnswers;
};

export const ran = (
  name: string,
  command: string,
  outcome: CheckResult['outcome'] = 'passed',
): CheckResult => ({
  name,
  command,
  outcome,
  ms: 900,
  tail: '',
  exitCode: outcome === 'passed' ? 0 : outcome === 'failed' ? 1 : null,
});

export const SAMPLES: Readonly<Record<string, Sample>> = {
  fix: {
    goal: 'Fix #4821: retry forgets the last delay. closes #4821',
    said: {
      what: 'Keep the last delay of a retry',
      why: 'The delay was reset before it was read, so every attempt waited the first `delay`. It is now read first.',
      tested: 'A test in `test/retry.test.ts` waits twice and compares the delays. All tests pass.',
      type: 'fix',
      note: 'Retries wait longer each time again.',
    },
    files: [
      ['src/retry.ts', 4, 2],
      ['test/retry.test.ts', 18, 0],
    ],
    patch:
      'diff --git a/src/retry.ts b/src/retry.ts\n@@ -10,7 +10,9 @@ export const retry\n-  delay = first;\n-  await wait(delay);\n+  // The last delay is read before it is reset.\n+  const last = delay;\n+  delay = next(last);\n+  await wait(last);\ndiff --git a/test/retry.test.ts b/test/retry.test.ts\n+it("waits longer each time", async () => {\n+  // waits twice and compares the delays\n+});\n',
    checks: [ran('test', 'npm test'), ran('lint', 'npm run lint'), ran('types', 'npx tsc --noEmit')],
  },
  feature: {
    goal: 'Add a `--json` option to the list command so that scripts can read it',
    said: {
      what: 'Add `--json` to the list command',
      why: 'Scripts had to parse the table. The option prints the same rows as JSON.',
      tested: 'Added tests for the option in tests/test_list.py.',
      type: 'feature',
      note: '`list --json` prints rows as JSON.',
    },
    files: [
      ['src/app/cli/list.py', 22, 3],
      ['tests/test_list.py', 31, 0],
      ['docs/cli.md', 6, 0],
      ['CHANGES.rst', 2, 0],
    ],
    patch:
      'diff --git a/src/app/cli/list.py b/src/app/cli/list.py\n+@click.option("--json", "as_json", is_flag=True, help="Print rows as JSON, for scripts")\n+def list_command(as_json):\n+    if as_json:\n+        return print_json(rows)\n-    table(rows)\n+diff docs: the option `--json` of the list command\n',
    checks: [ran('test', 'pytest'), ran('lint', 'pre-commit run --all-files')],
  },
  breaking: {
    goal: 'Remove the deprecated `legacyMode` setting',
    said: {
      what: 'Remove the `legacyMode` setting',
      why: 'It was deprecated and nothing reads it any more.',
      breaking: 'Configurations that set `legacyMode` are refused.',
      type: 'refactor',
      tested: 'No test needed.',
    },
    files: [['pkg/config/config.go', 1, 14]],
    patch:
      'diff --git a/pkg/config/config.go b/pkg/config/config.go\n-\tlegacyMode bool `json:"legacyMode"` // deprecated setting\n-\tif c.legacyMode { configurations are read the old way }\n+\tif unknown(key) { return refused(key) }\n',
    checks: [ran('test', 'go test ./...'), ran('lint', 'golangci-lint run', 'not_run')],
  },
  docs: {
    goal: 'Correct the install command in the README',
    said: { what: 'Correct the install command', why: 'The package was renamed.', type: 'docs' },
    files: [['README.md', 1, 1]],
    patch: 'diff --git a/README.md b/README.md\n-npm install old-package\n+npm install new-package\n',
    checks: [],
  },
};

const fileOf = ([path, added, deleted]: Sample['files'][number]): FileChange => ({
  path,
  oldPath: null,
  status: deleted === 0 ? 'added' : 'modified',
  oldMode: '100644',
  newMode: '100644',
  added,
  deleted,
  binary: false,
});

export type Rendering = Partial<Parameters<typeof pullBody>[0]>;

export const rendered = (
  sample: Sample,
  template: string | null,
  more: Rendering = {},
): { title: string; body: string } => {
  const files = sample.files.map(fileOf);
  const order = Order.parse({
    repo: 'acme/lib',
    goal: sample.goal,
    base: null,
    branch: null,
    title: null,
    engine: 'codex',
    engineArgs: [],
    promptVersion: '1',
    checks: [],
    requester: { id: '1', name: 'Ana' },
    decider: null,
    chat: '1',
    bounds: RunBounds.parse({}),
  });
  const contract = more.contract ?? sampleContract({ template });
  const said = saying(sample.said);
  const { patch, checks } = sample;
  const title = composePullTitle({ order, said, files, patch, checks }, contract, 100);
  const sum = (of: 'added' | 'deleted'): number => files.reduce((n, f) => n + f[of], 0);
  const sampled = sampleCommit('c');
  const commit = {
    ...sampled,
    message: `${title}\n`,
    diff: { ...sampled.diff, files, added: sum('added'), deleted: sum('deleted') },
  };
  const body = pullBody({
    order,
    contract,
    commit,
    checks,
    said,
    patch,
    title,
    summary: '',
    baseRef: 'main',
    commits: 1,
    ...(sample.answers ? { answers: sample.answers } : {}),
    ...more,
  });
  return { title, body };
};
