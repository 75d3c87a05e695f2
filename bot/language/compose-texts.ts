/** Puts the sentences together where none can say it alone: the same for each language. */
import { type AgentSettingsCount, issueLocation, type ValidationIssue } from '#model/settings';
import { renderDatabaseFault, type DatabaseFault } from '#model/failure';
import type { VoiceProblem } from '../voice/voice-notes.ts';
import type { HunkPage } from '../text/hunk-pages.ts';
import type { CommandType } from '#inputs';
import { formatSignedNumber, type SentenceCatalogue, sayRecord } from '../text/sentence-catalogue.ts';
import { composeBudgets } from './compose-budgets.ts';
import { composeCampaigns, composeCards } from './compose-cards.ts';
import { composeJudgements } from './compose-judgements.ts';
import { composeNotes } from './compose-notes.ts';
import { composePolicies } from './compose-policies.ts';
import { composeRecords } from './compose-records.ts';
import { composeHostFindings } from './host-finding.ts';
import { composeRuns } from './compose-runs.ts';
import { extendSentences, type Underscored } from './extend-sentences.ts';
import type { SentenceTree } from './sentence-tree.ts';

type UnknownSetting = { name: string; fromFile: boolean; meant: string | null };

const composeSettingIssues = (tree: SentenceTree, { expectedValues }: ReturnType<typeof composeRecords>) => {
  const rules: Readonly<Record<string, string>> = tree.settingRules;
  return (it: ValidationIssue, file: 'env' | 'config', line: number | null): string => {
    const place = issueLocation(it.path);
    const whole = file === 'env' ? tree.settingEnvironment : 'agentpr.config.json';
    const begins = line === null ? null : `${whole}:${line}`;
    const at =
      place === ''
        ? { name: begins ?? whole, where: null }
        : begins === null
          ? { name: place, where: whole }
          : { name: `${begins}: ${place}`, where: null };
    if (it.kind === 'unknown') {
      const { key, near, known } = it;
      return tree.settingIssues.unknown({ ...at, key, near, known });
    }
    if (it.found === null) return tree.settingIssues.missing(at);
    if (it.may.kind === 'said')
      return tree.settingIssues.rule({
        ...at,
        rule: Object.hasOwn(rules, it.may.says) ? (rules[it.may.says] ?? '') : it.may.says,
      });
    const must = sayRecord(expectedValues, it.may);
    // Values of the environment may be secrets.
    return tree.settingIssues.value({ ...at, found: file === 'env' ? null : it.found, must });
  };
};

/** Contracts hold these in English. */
const composeRiskFlags =
  ({ riskFlags }: SentenceTree) =>
  (english: string): string => {
    const flags: readonly (readonly [
      RegExp,
      (first: string, second: string, ...more: string[]) => string,
    ])[] = [
      [
        /(\S[\w ]*) is not known to AgentPR: only what its workflows and guides run, or what is usual, is checked/,
        riskFlags.unknownEcosystem,
      ],
      [/(\S[\w ]*) is not read \((.*)\)/, riskFlags.unreadCi],
      [/^Git LFS: large files are not fetched$/, () => riskFlags.lfs],
      [/^submodules: they are not fetched$/, () => riskFlags.submodules],
      [/^very large: (\d+) files$/, riskFlags.large],
      [/^several devcontainers \((.*)\): none is taken; containers\.image .*$/, riskFlags.devcontainers],
      [
        /^(\d+) commands? of more than (\d+) characters (?:is|are) not run$/,
        (count, most) => riskFlags.longCommands(Number(count), most),
      ],
      [/^no tests were found$/, () => riskFlags.noTests],
      [/^no checks were found$/, () => riskFlags.noChecks],
      [/^no check runs tests$/, () => riskFlags.noTestCheck],
    ];
    return flags.reduce(
      (now, [pattern, say]) =>
        now.replace(pattern, (_, first: string = '', second: string = '', ...more: string[]) =>
          say(first, second, ...more),
        ),
      english,
    );
  };

const composeSetup = (tree: SentenceTree, records: ReturnType<typeof composeRecords>) => ({
  settingsIssue: composeSettingIssues(tree, records),
  unknownSettings: (all: readonly UnknownSetting[], known: readonly string[]): string =>
    [
      ...all.map(({ name, fromFile, meant }) => tree.setup.unknownSetting(name, fromFile, meant)),
      tree.setup.knownSettings(known),
    ].join('\n'),
  setup: extendSentences(tree.setup, {
    noAgent: (installs: readonly string[]) =>
      tree.setup.noAgent(installs.map((one) => `  ${one}`).join('\n')),
  }),
  riskFlag: composeRiskFlags(tree),
  agentSettings: ({ hooks, servers, skills, plugins, files }: AgentSettingsCount): string =>
    tree.agentSettings(hooks, servers, skills, plugins, files),
  databaseFault: (fault: DatabaseFault): string =>
    renderDatabaseFault(fault, (kind, fields) =>
      (tree.databaseFaults[kind] as (of: typeof fields) => string)(fields),
    ),
});

const voiceProblems = ({ voice, voiceProblems: says }: SentenceTree): SentenceCatalogue<VoiceProblem> => {
  const formatLength = (seconds: number): string =>
    seconds < 120
      ? voice.length('seconds', Math.round(seconds))
      : voice.length('minutes', Math.round(seconds / 60));
  return extendSentences(says, {
    long: ({ seconds, most }: { seconds: number; most: number }) =>
      says.long({ is: formatLength(seconds), most: formatLength(most) }),
    big: ({ most }: { most: number }) => says.big({ most: most / 1_000_000 }),
  });
};

const receiptLines = ({ receiptPage: { says } }: SentenceTree) => ({
  run: says.run,
  digest: says.digest,
  policies: says.policies,
  'approved by': says.approvedBy,
  'signed with key': says.signedWithKey,
});

const changeUnits = ({ installation: { units } }: SentenceTree) =>
  extendSentences(units, {
    minutes: (n: number) => (n >= 120 && n % 60 === 0 ? units.hours(n / 60) : units.minutes(n)),
  });

const composeCalendar = ({ calendar }: SentenceTree) =>
  extendSentences(calendar, {
    get weekdays() {
      const { sunday, monday, tuesday, wednesday, thursday, friday, saturday } = calendar.weekdays;
      return [sunday, monday, tuesday, wednesday, thursday, friday, saturday];
    },
  });

type CommandName<Type extends CommandType> = Type extends `command.${infer Name}`
  ? Underscored<Name, '.'>
  : never;

/** Completes “a run that cannot be … now”. */
const composeCommandTypes =
  ({ commandTypes }: SentenceTree) =>
  (of: CommandType): string =>
    commandTypes[of.slice('command.'.length).replaceAll('.', '_') as CommandName<CommandType>];

export const composeTexts = (tree: SentenceTree) => {
  const campaign = composeCampaigns(tree);
  const records = composeRecords(tree);
  const judgements = composeJudgements(tree, records);
  const composed = {
    ...records,
    ...judgements,
    ...composePolicies(tree, judgements.judgement),
    ...composeSetup(tree, records),
    hostFinding: composeHostFindings(tree, records),
    budgets: composeBudgets(tree),
    commandType: composeCommandTypes(tree),
  };
  const { objections, ...runs } = composeRuns(tree, composed);
  return extendSentences(tree, {
    ...composed,
    ...runs,
    notes: composeNotes(tree, { ...composed, objections, campaign }),
    calendar: composeCalendar(tree),
    ...composeCards(tree, composed),
    campaign,
    why: extendSentences(tree.why, { stops: tree.stops }),
    voice: extendSentences(tree.voice, { problems: voiceProblems(tree) }),
    denials: extendSentences(tree.denials, {
      perhaps: extendSentences(tree.denials.perhaps, {
        asks: extendSentences(tree.denials.perhaps.asks, {
          get 'permission-edit'() {
            return tree.denials.perhaps.asks.permissionEdit;
          },
        }),
      }),
    }),
    receiptPage: extendSentences(tree.receiptPage, {
      get says() {
        return receiptLines(tree);
      },
    }),
    cluster: extendSentences(tree.cluster, {
      passed: (n: number, of: number) => tree.cluster.passed(n === of, of, n),
    }),
    viewer: extendSentences(tree.viewer, {
      at: (file: number, files: number, { hunk, hunks, part, parts }: HunkPage) =>
        [
          tree.viewer.file(file, files),
          tree.viewer.hunk(hunk, hunks),
          ...(parts > 1 ? [tree.viewer.part(part, parts)] : []),
        ].join(' · '),
    }),
    report: extendSentences(tree.report, {
      since: (by: number, low: number, high: number) =>
        tree.report.since(formatSignedNumber(by), formatSignedNumber(low), formatSignedNumber(high)),
    }),
    insights: extendSentences(tree.insights, {
      points: (by: number, low: number, high: number) =>
        tree.insights.points(formatSignedNumber(by), formatSignedNumber(low), formatSignedNumber(high)),
    }),
    installation: extendSentences(tree.installation, {
      units: changeUnits(tree),
      now: (value: string, usual: string) => tree.installation.now(value, value === usual, usual),
    }),
    board: extendSentences(tree.board, {
      run: extendSentences(tree.board.run, {
        tokensIn: (tokens: number, ms: number) => tree.board.run.tokensIn(tokens, (ms / 1_000).toFixed(1)),
        proposerTotal: (chosen: number, turns: number, tokens: number, costUsd: number) =>
          tree.board.run.proposerTotal(chosen, turns, tokens, costUsd > 0 ? costUsd.toFixed(4) : null),
      }),
    }),
  });
};
