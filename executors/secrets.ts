/** Looks for secrets in the lines that a change adds, by the rules of secretlint (P3). */
import type { Finding } from '../orchestrator/core/facts.ts';

/** Rules whose finds are passwords in addresses: of a test's database as often as of a real one, so that a person decides. */
const IN_ADDRESSES = /(?:basicauth|database-connection-string)$/;
/** A comment in the file must not switch the search off: who writes the file is who is searched. */
const NOT_OBEYED = '@secretlint/secretlint-rule-filter-comments';
const PER_FILE = 5;

/** Only when there is a change to look at: it is no part of a start. */
const load = async () => {
  const [{ lintSource }, { rules: all }, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ]);
  // It takes times that nobody asks for, and keeps 20 KB of them for every file.
  secretLintProfiler.setEnabled(false);
  const rules = all.flatMap((rule) => (rule.meta.id === NOT_OBEYED ? [] : [{ id: rule.meta.id, rule }]));
  return async (content: string) =>
    lintSource({
      source: { content, filePath: 'change', ext: '', contentType: 'text' },
      options: { config: { rules }, maskSecrets: true },
    });
};
let loaded: ReturnType<typeof load> | null = null;

/** `known` are lines of the old side: what stood there before was not given away by this change. */
export const secretFindings = async (
  path: string,
  text: string,
  known: ReadonlySet<string>,
): Promise<Finding[]> => {
  const lint = await (loaded ??= load());
  const lines = text.split('\n');
  const { messages } = await lint(text);
  const fresh = messages.filter(({ loc }) =>
    lines.slice(loc.start.line - 1, loc.end.line).some((line) => !known.has(line)),
  );
  return fresh.slice(0, PER_FILE).map(({ ruleId, loc }) => ({
    kind: IN_ADDRESSES.test(ruleId) ? 'password_in_address' : 'secret',
    path,
    line: loc.start.line,
    note: `the rule ${ruleId.replace('@secretlint/secretlint-rule-', '')} of secretlint found it`,
  }));
};
