/** The world outside, in memory: it survives crashes, and fails or lies on request. */
import type { RunNotes, WorkspacePort } from '#ports/workspaces';
import type { PullFacts } from '#ports/forge';
import type { Chaos } from './chaos.ts';
import type { Random } from './random.ts';
import { createAgent, createWorldChecks, type Asked } from './world/agents.ts';
import { createWorldChat } from './world/chat.ts';
import { blank, createForge } from './world/forge.ts';
import { createGit } from './world/git.ts';
import { createHost } from './world/host.ts';
import type { WorldParts } from './world/parts.ts';
import {
  DEVELOP,
  WELL,
  copyOf,
  createRepo,
  type Behaviour,
  type Branches,
  type Saved,
  type Shown,
} from './world/state.ts';

export type World = ReturnType<typeof createSimulation>;
export type { Saved, Shown } from './world/state.ts';

export type RealGit = {
  workspaces: (seen: {
    received: (branch: string, sha: string) => void;
    conflicts: () => boolean;
    looked: (branch: string, head: string | null) => void;
  }) => WorkspacePort;
  branches: Branches;
  restore: (branches: Branches) => Branches;
  edit: (workspace: string, text: string) => void;
  foreign: () => string;
  cloneUrl: string;
};

type Deed = { at: number; no: number; deed: () => void };

export const createSimulation = (given: {
  random: Random;
  clock: { now(): number };
  chaos: Chaos;
  behaviour?: Partial<Behaviour>;
  /** Real git; only the code host's API is simulated. */
  real?: RealGit;
}) => {
  const { random, clock, chaos, real } = given;
  const behaviour: Behaviour = { ...WELL, ...given.behaviour };
  const repo = createRepo();
  if (real) repo.branches = real.branches;
  const held: Saved = {
    repo,
    commits: new Map([
      [repo.base, { files: 'base', parent: '', base: '' }],
      [DEVELOP, { files: 'develop', parent: repo.base, base: '' }],
    ]),
    work: new Map(),
    messages: [],
    record: {
      pushes: [],
      created: [],
      agentRuns: 0,
      checkRuns: 0,
      lastMessage: 0,
      looked: {},
      gone: [],
      shown: {},
    },
  };
  const born: string[] = [];
  let agenda: Deed[] = [];
  let deeds = 0;
  const later = (ms: number, deed: () => void): void =>
    void agenda.push({ at: clock.now() + ms, no: (deeds += 1), deed });
  const parts: WorldParts = {
    random,
    clock,
    chaos,
    held,
    behaviour,
    later,
    edit: (runId, workspace, text) => {
      if (real) real.edit(workspace, text);
      held.work.set(runId, `${held.work.get(runId) ?? ''}${text}`);
    },
    post: (event, payload) => world.post(event, payload),
    explain: (buttons) => world.explain(buttons),
  };
  const host = createHost(parts, (pull, sha) => world.onHead(pull, sha), real?.foreign);
  const received = (branch: string, sha: string): void => {
    const pull = host.open().find((p) => p.headRef === branch && p.author === 'agentpr-bot');
    held.record.pushes.push({ branch, sha, pull: pull?.id ?? null });
    world.onPush(branch, sha, pull?.id ?? null);
    host.move(branch, sha);
  };
  const seen = {
    received,
    conflicts: (): boolean => world.conflicts,
    looked: (branch: string, head: string | null): void => {
      held.record.looked[branch] = [head, ...(held.record.looked[branch] ?? [])].slice(0, 2);
      world.onLook(branch);
    },
  };
  const workspaces: WorkspacePort =
    real?.workspaces(seen) ??
    createGit({ ...parts, ...seen, isOpen: (branch) => host.open().some((p) => p.headRef === branch) });
  const written = new Map<string, string>();
  const notes: RunNotes = {
    write: async (runId, note, text) => void written.set(`${runId}/${note}`, text),
    read: async (runId, note) => written.get(`${runId}/${note}`) ?? null,
  };

  const world = {
    host,
    behaviour,
    get repo() {
      return held.repo;
    },
    get messages() {
      return held.messages;
    },
    get record() {
      return held.record;
    },
    get commits() {
      return held.commits;
    },
    conflicts: false,
    /** Called when a pull request is created. */
    onCreate: (_pull: PullFacts, _mangled: boolean): void => undefined,
    /** Called when the product reads a branch, its last look before an opening. */
    onLook: (_branch: string): void => undefined,
    onPush: (_branch: string, _sha: string, _pull: string | null): void => undefined,
    onAgent: (_asked: Asked): void => undefined,
    /** Called on a write to a repository that took our former name. */
    onStranger: (_what: string): void => undefined,
    onHead: (_pull: PullFacts, sha: string): void => host.runCi(sha),
    post: (_event: string, _payload: () => object): void => undefined,
    /** Returns what *More* shows of a card. */
    explain: async (_buttons: Shown['buttons']): Promise<Pick<Shown, 'more' | 'each'>> => ({
      more: '',
      each: '',
    }),
    later,
    next: (): number | null => (agenda.length === 0 ? null : Math.min(...agenda.map((d) => d.at))),
    tick(): void {
      for (;;) {
        const now = clock.now();
        const due = agenda.filter((d) => d.at <= now).sort((a, b) => a.at - b.at || a.no - b.no);
        if (due.length === 0) return;
        agenda = agenda.filter((d) => d.at > now);
        for (const { deed } of due) deed();
      }
    },
    /** One saved state serves many histories. */
    save: (): Saved => copyOf(held),
    load(saved: Saved): void {
      Object.assign(held, copyOf(saved));
      if (real) held.repo.branches = real.restore(saved.repo.branches);
      agenda = [];
      world.conflicts = world.fair = false;
      Object.assign(behaviour, WELL);
    },
    runIds: (): string[] => [...new Set([...born, ...held.work.keys()])],
    bear: (runId: string): void => void born.push(runId),
    meddle(): void {
      const open = host.open();
      const pull = open.length > 0 ? random.pick(open) : null;
      const branches = [...held.repo.branches.keys()];
      const dice = random.next();
      const does = (what: string, deed: () => void): void => {
        if (chaos.strikes(`people: ${what}`, 1)) deed();
      };
      if (pull && dice < 0.12) does('merge', () => host.merge(pull));
      else if (pull && dice < 0.15) does('close', () => host.close(pull));
      else if (pull && dice < 0.3) does('ask for changes', () => host.review(pull, 'write', 'wants_changes'));
      else if (pull && dice < 0.4)
        does('strangers ask for changes', () => host.review(pull, 'read', 'wants_changes'));
      else if (pull && dice < 0.46) does('approve', () => host.review(pull, 'write', 'approved'));
      else if (pull && dice < 0.5)
        does('remark', () => host.review(pull, random.pick(['write', 'read'] as const), 'remarked'));
      else if (pull && dice < 0.64)
        does('comment', () => host.comment(pull, random.pick(['write', 'read', 'unknown'] as const)));
      else if (pull && dice < 0.7)
        does('comment on a line', () => host.thread(pull, random.pick(['write', 'read'] as const)));
      else if (pull && dice < 0.78) does('run the checks again', () => host.runCi(pull.headSha));
      else if (branches.length > 0 && dice < 0.84)
        does('push to our branch', () => host.pushForeign(random.pick(branches)));
      else if (branches.length > 0 && dice < 0.86)
        does('delete our branch', () => world.deleteBranch(random.pick(branches)));
      else if (branches.length > 0 && dice < 0.88)
        does('open a pull request on our branch', () => world.openForeign());
      else if (dice < 0.93) does('make a conflict', () => void (world.conflicts = !world.conflicts));
    },
    /** F12: people move, rename, archive or delete what runs work against. */
    moveGround(): void {
      const open = host.open();
      const pull = open.length > 0 ? random.pick(open) : null;
      const dice = random.next();
      // Mostly while there is a pull request.
      if (!pull && random.chance(0.8)) return;
      const does = (what: string, deed: () => void): void => {
        if (chaos.strikes(`people: ${what}`, 1)) deed();
      };
      if (pull && dice < 0.3) does('move to another base', () => host.retarget(pull));
      else if (dice < 0.5) does('rename a base', () => host.renameBase());
      else if (dice < 0.65) does('rename the repository', () => host.renameRepository());
      else if (dice < 0.72) does('take its former name', () => void (held.repo.taken = true));
      else if (dice < 0.86)
        does('archive, or unarchive', () => host.block({ archived: !held.repo.archived }));
      else does('lose the fork, or find it', () => host.block({ headGone: !held.repo.headGone }));
    },
    openForeign(): void {
      for (const [branch, sha] of held.repo.branches) {
        if (host.open().some((p) => p.headRef === branch)) continue;
        held.repo.pulls.push({ ...blank(held.repo, branch, sha), author: 'mallory', body: 'mine' });
      }
    },
    /** Failures stop, but CI and people stay. */
    steady(): void {
      const { ci, ciRed, risky, moves } = behaviour;
      Object.assign(behaviour, { ...WELL, ci, ciRed, risky, moves });
    },
    /** Nothing fails, checks pass, and maintainers merge. */
    calm(): void {
      world.conflicts = false;
      world.fair = true;
      host.block({ archived: false, headGone: false });
      Object.assign(behaviour, { ...WELL, ci: behaviour.ci, moves: behaviour.moves });
      for (const pull of host.open()) later(30_000 + random.int(30_000), () => host.merge(pull));
    },
    fair: false,
    pushForeign: host.pushForeign,
    deleteBranch(branch: string): void {
      held.record.gone.push(branch);
      host.move(branch, null);
    },
    ports: {
      workspaces,
      notes,
      forge: createForge({
        ...parts,
        host,
        cloneUrl: real?.cloneUrl ?? 'http://forge/acme/api.git',
        stranger: (what) => world.onStranger(what),
        created: (pull, title, mangled) => {
          held.record.created.push(pull);
          world.onCreate({ ...pull, title }, mangled);
          if (world.fair) later(30_000 + random.int(30_000), () => host.merge(pull));
        },
      }),
      checks: createWorldChecks(parts),
      script: createAgent({ ...parts, notes: written, asked: (asked) => world.onAgent(asked) }),
      chat: createWorldChat(parts),
    },
  };
  return world;
};
