/** A code host is roles: a tiny one without forks, reviews, issues and search, and what its lack means. */
import { describe, expect, it } from 'vitest';
import { createSurvey } from '../../orchestrator/campaigns/survey-repositories.io.ts';
import { planFork } from '../../orchestrator/kernel/gate/ensure-fork.io.ts';
import { LANGUAGE_TEXTS } from '#language';
import { sayRecord } from '#chat-text';
import { ForkSettings } from '#model/pull';
import type { FoundRepo } from '#ports/forge';
import { capabilitiesOf, type ForgePort, fillMissingRoles } from '#ports/roles';
import { at } from '../support/core.ts';
import { testForgeRoles, type ForgeStage } from '../support/forge-role-suites.ts';
import { createSecondForge } from '../support/second-forge.ts';
import { createClock } from '../support/timers.ts';

const openTiny = () => {
  const heads = new Map<string, string>();
  const forge = createSecondForge({
    project: 'group/project',
    clock: createClock(),
    tell: () => {},
    head: (branch) => heads.get(branch),
  });
  const never = (): never => {
    throw new Error('the host has nothing like that');
  };
  const stage: ForgeStage = {
    ...forge,
    repo: 'group/project',
    theirs: null,
    us: 'project_42_bot',
    maintainer: 'mia',
    branch: async () => {
      const name = `fix-${heads.size + 1}`;
      const sha = String(heads.size + 1)
        .repeat(40)
        .slice(0, 40);
      heads.set(name, sha);
      return { name, sha };
    },
    finishes: async (...check) => forge.job(...check),
    merges: async (...merge) => forge.merges(...merge),
    approves: never,
    comments: never,
    opensIssue: never,
  };
  return stage;
};

describe('a tiny code host', () => {
  testForgeRoles(openTiny, ['forks', 'reviews', 'issues', 'search', 'setup']);

  it('F5: a campaign by a search is refused there, and says what to do instead', async () => {
    const { port } = openTiny();
    const survey = createSurvey({
      forge: port,
      forks: { use: 'when_needed' },
      isRepository: () => true,
      clock: createClock(),
      timers: createClock(),
    });
    const note = await survey.seek([{ by: 'org', text: 'group' }]);
    expect(note).toMatchObject({ kind: 'campaign_query', why: 'lacks' });
    if (!('kind' in note)) throw new Error('it was found');
    expect(sayRecord(LANGUAGE_TEXTS.en.notes, note)).toContain('Name the repositories one by one');
    expect(sayRecord(LANGUAGE_TEXTS.zh.notes, note)).toContain('逐一写出仓库名');
    // Without forks, only a repository that we may push to is in reach.
    const look = await survey.look([{ repo: 'group/project', host: null, vars: {} }], []);
    expect(look.get('group/project')).toMatchObject({ reachable: true });
  });

  it('F1: a role that is given to it works, without another file', async () => {
    const { roles, port } = openTiny();
    const found = { repos: [await repositoryFound(port)], given: 1, of: 1, whole: true };
    const given = fillMissingRoles({ ...roles, search: { findRepositories: async () => found } });
    const clock = createClock();
    const survey = createSurvey({
      forge: given,
      forks: { use: 'when_needed' },
      isRepository: () => true,
      clock,
      timers: clock,
    });
    const sought = await survey.seek([{ by: 'org', text: 'group' }]);
    expect(sought).toMatchObject({ repos: [{ name: 'group/project' }] });
    expect(capabilitiesOf({ ...roles, search: { findRepositories: async () => found } })).toMatchObject({
      search: true,
      reviews: false,
    });
  });

  it('F1: a repository that we may not push to is refused there, with the reason', async () => {
    const { port } = openTiny();
    const base = { ...(await port.repo('group/project')), mayPush: false };
    const asked = planFork({ forge: port, settings: { ...SETTINGS } }, at('PLAN_READY').run, base);
    await expect(asked).rejects.toMatchObject({ class: 'not_allowed', detail: { kind: 'has_no_forks' } });
  });
});

const repositoryFound = async (port: ForgePort): Promise<FoundRepo> => {
  const { id, name, archived, mayPush, mayFork } = await port.repo('group/project');
  return { id, name, archived, mayPush, mayFork, isFork: false };
};

const SETTINGS = { forks: ForkSettings.parse({}) } as Parameters<typeof planFork>[0]['settings'];
