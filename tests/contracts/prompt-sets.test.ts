/**
 * E7: whole prompts of every set, engine and situation, judged by what has to hold of each; what a
 * newer set promises is seen to fail on the one before.
 */
import { describe, expect, it } from 'vitest';
import { readSkill } from '../../app/skills.ts';
import { USUAL_PROMPTS } from '../../app/runtime-settings.ts';
import { ENGLISH_WORDING } from '#language';
import { createEngines } from '../../executors/engines/engines.ts';
import { ENGINE_NAMES, type ConfiguredEngineName } from '../../executors/engines/engine-settings.ts';
import { createGateway } from '../../executors/gateway/gateway.ts';
import { SKILL_CONDITIONS } from '../../orchestrator/briefing/skill-text.ts';
import { PolicySettings } from '#model/settings';
import { NO_USAGE } from '#model/reports';
import type { ContainmentLevel } from '#model/evidence';
import type { FileChange } from '#model/change';
import {
  ROUND_KINDS,
  ROUND_ROWS,
  type AgentRound,
  type RoundKind,
} from '../../orchestrator/kernel/run/round-table.ts';
import { describeEarlierChanges } from '../../orchestrator/briefing/describe-change-so-far.ts';
import { renderPrompt } from '../../orchestrator/briefing/render-prompt.ts';
import type { AgentAbilities, CommandNetwork } from '#ports/processes';
import {
  at,
  baseChecked,
  contract,
  discovered,
  given,
  planOfTwo,
  startDiscovery,
  startWork,
} from '../support/core.ts';

const parts = {
  skill: readSkill,
  texts: { wording: ENGLISH_WORDING },
  settings: { policies: PolicySettings.parse({}) },
};
const LISTED = {
  registries: ['npm', 'pypi'],
  hosts: ['mirror.acme.example'],
  privateHosts: [],
  pass: {},
} as const;

type Where = { level: ContainmentLevel; network: 'listed' | 'shared'; engine: ConfiguredEngineName };
/** What the real engines say of themselves, started as they are in the product. */
const abilities = ({ level, network, engine }: Where, writes: 'change' | 'nothing'): AgentAbilities => {
  const gateway = createGateway({ listed: LISTED });
  const ways = { gateway, settings: {} as never, network };
  const deps = { sandbox: { level } as never, ways, scriptNetwork: network };
  const can = createEngines(deps, { env: {}, home: '/nowhere' })[engine].abilities?.({ writes });
  if (!can) throw new Error(`${engine} says nothing of itself`);
  return can;
};
const WHERE: Where[] = ENGINE_NAMES.flatMap((engine) =>
  (['bwrap', 'group'] as const).flatMap((level) =>
    (['listed', 'shared'] as const).map((network) => ({ engine, level, network })),
  ),
);

const session = { id: 's1', usage: NO_USAGE };
const worked = at('ITERATING').run;
const begun = at('IMPLEMENTING').run;
const planned = given({ flow: 'plan' }, startDiscovery, discovered(), baseChecked(), startWork());
const stepping = planned.when(planOfTwo).run;
const shape = contract({ installs: [{ command: 'npm ci', dir: '', source: 'package-lock.json' }] });

const touched = (path: string, status: 'added' | 'modified'): FileChange => {
  const modes = { oldMode: '100644', newMode: '100644', oldPath: null, binary: false };
  return { path, status, ...modes, added: 3, deleted: 1 };
};
const FILES = [touched('src/greet.ts', 'modified'), touched('src/new.ts', 'added')];

type Shown = Where & {
  kind: RoundKind;
  isFirst: boolean;
  hasChange: boolean;
  can: AgentAbilities;
  base: string;
  files: string[];
  prompt: string;
};
const show = (version: string, where: Where, kind: RoundKind, isFirst: boolean): Shown => {
  const from = kind.startsWith('plan')
    ? stepping
    : kind === 'implement' || kind === 'preflight'
      ? begun
      : worked;
  const round: AgentRound = {
    kind,
    feedback: [{ kind: 'words', text: 'This is what is wrong.' }],
    purpose: [],
  };
  const order = { ...from.order, promptVersion: version };
  const commit = from.change.commit && {
    ...from.change.commit,
    diff: { ...from.change.commit.diff, files: FILES },
  };
  const run = {
    ...from,
    change: { ...from.change, commit },
    order,
    target: { ...from.target, contract: shape },
    agent: { ...from.agent, round, session: isFirst ? null : session },
  };
  const can = abilities(where, ROUND_ROWS[kind].writes === 'change' ? 'change' : 'nothing');
  const prompt = renderPrompt(run, round, describeEarlierChanges(run, round, can), parts, can);
  return {
    ...where,
    kind,
    isFirst,
    can,
    prompt,
    hasChange: run.change.commit !== null,
    base: run.target.base?.sha ?? '',
    files: run.change.commit?.diff.files.map(({ path }) => path) ?? [],
  };
};
const ALL = (version: string): Shown[] =>
  WHERE.flatMap((where) =>
    ROUND_KINDS.flatMap((kind) => [true, false].map((isFirst) => show(version, where, kind, isFirst))),
  );

const isChange = ({ kind }: Shown): boolean => ROUND_ROWS[kind].writes === 'change';
const FORM = '"status": "done" | "blocked"';
const names = (network: CommandNetwork): string[] =>
  network.kind === 'listed' ? [...network.registries, ...network.hosts] : [];

/** Each says why a prompt is wrong, or nothing. */
const PROPERTIES: Record<string, (shown: Shown) => string | false> = {
  'a test is asked for where behaviour changes, and nowhere else': (one) =>
    isChange(one) &&
    (!/A change of behaviour gets a test that fails without it; documentation, comments, settings and typing errors get none\./.test(
      one.prompt,
    ) ||
      /Add or adjust a test|a test shows it/.test(one.prompt)) &&
    'asks for a test whatever changes',
  'what commands reach is said as a fact, as the box has it': (one) => {
    const { commands } = one.can;
    if (!isChange(one) || commands === null)
      return /Your commands reach/.test(one.prompt) && 'has no commands';
    const { network } = commands;
    if (network.kind === 'open')
      return !one.prompt.includes('The network is open') && 'does not say it is open';
    if (network.kind === 'none')
      return !one.prompt.includes('reach no network') && 'does not say there is none';
    const said = /^Your commands reach (.*)$/m.exec(one.prompt)?.[1] ?? '';
    return !names(network).every((name) => said.includes(name)) && 'does not name what is reached';
  },
  'a resumed conversation is not told the form of the report again': (one) =>
    !one.isFirst &&
    !(one.can.hasReportForm && one.kind === 'report_repair') &&
    (one.prompt.includes(FORM) ||
      !/the form that your program asks for|same form as before/.test(one.prompt)) &&
    'tells the form again',
  'a new one is told it whole, unless its program asks for it': (one) =>
    one.isFirst && !one.can.hasReportForm && one.prompt.split(FORM).length !== 2 && 'does not tell it once',
  'an engine with a form of its own is told no other': (one) =>
    one.can.hasReportForm &&
    one.kind !== 'report_repair' &&
    /line of JSON|"summary"/.test(one.prompt) &&
    'tells another',
  'what runs no command is asked for none': (one) =>
    one.can.commands === null &&
    /Run the checks|git diff|reproduce a failing|with the command of|with a command/.test(one.prompt) &&
    'asks for a command',
  'a round that only reads is not told to run nothing and to write by a command': (one) =>
    one.kind === 'preflight' && /run nothing: only read/.test(one.prompt) && 'forbids what it asks for',
  'a fix names the files that changed, and how to see the change': (one) =>
    isChange(one) &&
    one.hasChange &&
    (!one.files.every((file) => one.prompt.includes(file)) ||
      (one.can.commands !== null && !one.prompt.includes(`\`git diff ${one.base.slice(0, 12)}\``))) &&
    'does not say how to look',
  'answers to remarks have their place in the form that is told': (one) =>
    one.prompt.includes(FORM) && !one.prompt.includes('"replies"') && 'has no place for answers',
};

/** What v2 did right already. */
const PASSED_BEFORE = [PROPERTIES['a new one is told it whole, unless its program asks for it']];

describe('whole prompts', () => {
  const [old, now] = [ALL('v2'), ALL('v3')];

  it.each(Object.entries(PROPERTIES))('E7: %s, which v2 fails', (_, wrong) => {
    const failing = (all: readonly Shown[]): string[] =>
      all.flatMap((one) => {
        const why = wrong(one);
        return why === false
          ? []
          : [`${one.engine}, ${one.level}, ${one.network}, ${one.kind}: ${why}\n${one.prompt}`];
      });
    expect(failing(now)).toEqual([]);
    if (!PASSED_BEFORE.includes(wrong)) expect(failing(old).length).toBeGreaterThan(0);
  });

  it('E7: nothing is left of what a text is put together from, and each set reads as a whole', () => {
    for (const { prompt } of now) {
      expect(prompt).not.toMatch(/\{\{|\}\}|undefined|,,| ,|\n{4}/);
      expect(prompt).toMatch(/^End with your report/m);
    }
    expect(SKILL_CONDITIONS).toHaveLength(3);
  });

  it('E7: a whole conversation is shorter than with the set before, for every engine', () => {
    const bytes = (version: string, where: Where): number =>
      (['implement', 'check_fix', 'ci_fix', 'review_fix'] as const)
        .map((kind, i) => show(version, where, kind, i === 0).prompt.length)
        .reduce((sum, length) => sum + length, 0);
    for (const where of WHERE) expect(bytes('v3', where)).toBeLessThan(bytes('v2', where));
  });

  it('E7: the newest set is the usual one, and a run keeps the words of the set that it was ordered with', () => {
    expect(USUAL_PROMPTS).toBe('v3');
    for (const version of ['v1', 'v2'])
      for (const kind of ROUND_KINDS) {
        const text = readSkill(ROUND_ROWS[kind].skill, version);
        for (const where of WHERE) {
          const { prompt } = show(version, where, kind, false);
          expect(prompt.endsWith(text)).toBe(true);
          expect(prompt).not.toMatch(/Where you work|Your change so far/);
        }
      }
  });
});
