/** Says what the terminal tells of settings and of a repository, for the setup, the start and the doctor. */
import { issueLocation, type ValidationIssue } from '../../orchestrator/model/validation-issue.ts';
import { sayRecord } from '../text/catalogue.ts';
import type { composeRecords } from './compose-records.ts';
import { extendSentences } from './extend-sentences.ts';
import type { SentenceTree } from './sentence-tree.ts';

type UnknownSetting = { name: string; fromFile: boolean; meant: string | null };

const composeSettingIssues = (s: SentenceTree, { expectedValues }: ReturnType<typeof composeRecords>) => {
  const rules: Readonly<Record<string, string>> = s.settingRules;
  return (it: ValidationIssue, file: 'env' | 'config'): string => {
    const place = issueLocation(it.path);
    const whole = file === 'env' ? s.settingEnvironment : 'agentpr.config.json';
    const at = place === '' ? { name: whole, where: null } : { name: place, where: whole };
    if (it.kind === 'unknown') return s.settingIssues.unknown({ ...at, key: it.key });
    if (it.found === null) return s.settingIssues.missing(at);
    if (it.may.kind === 'said')
      return s.settingIssues.rule({
        ...at,
        rule: Object.hasOwn(rules, it.may.says) ? (rules[it.may.says] ?? '') : it.may.says,
      });
    const must = sayRecord(expectedValues, it.may);
    // Values of the environment may be secrets.
    return s.settingIssues.value({ ...at, found: file === 'env' ? null : it.found, must });
  };
};

/** Contracts hold these in English. */
const composeRiskFlags =
  ({ riskFlags }: SentenceTree) =>
  (english: string): string => {
    const flags: readonly (readonly [RegExp, (first: string, second: string) => string])[] = [
      [
        /(\S[\w ]*) is not known to AgentPR: only what its workflows run is checked/,
        riskFlags.unknownEcosystem,
      ],
      [/(\S[\w ]*) is not read \((.*)\)/, riskFlags.unreadCi],
      [/^Git LFS: large files are not fetched$/, () => riskFlags.lfs],
      [/^submodules: they are not fetched$/, () => riskFlags.submodules],
      [/^very large: (\d+) files$/, riskFlags.large],
      [/^no tests were found$/, () => riskFlags.noTests],
      [/^no checks were found$/, () => riskFlags.noChecks],
      [/^no check runs tests$/, () => riskFlags.noTestCheck],
    ];
    return flags.reduce(
      (now, [pattern, say]) =>
        now.replace(pattern, (_, first: string = '', second: string = '') => say(first, second)),
      english,
    );
  };

export const composeSetup = (s: SentenceTree, records: ReturnType<typeof composeRecords>) => ({
  settingsIssue: composeSettingIssues(s, records),
  unknownSettings: (all: readonly UnknownSetting[], known: readonly string[]): string =>
    [
      ...all.map(({ name, fromFile, meant }) => s.setup.unknownSetting(name, fromFile, meant)),
      s.setup.knownSettings(known),
    ].join('\n'),
  setup: extendSentences(s.setup, {
    noAgent: (installs: readonly string[]) => s.setup.noAgent(installs.map((one) => `  ${one}`).join('\n')),
  }),
  riskFlag: composeRiskFlags(s),
});
