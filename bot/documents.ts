/**
 * The chat lane's files: what an answer keeps for them, or the patch of a run as it is when it is
 * sent.
 */
import { setImmediate } from 'node:timers/promises';
import type { View } from '../orchestrator/core/machine/effects.ts';
import type { Run } from '../orchestrator/core/machine/run.ts';
import type { Chat, Claim, Finish, Ledger } from '../orchestrator/ports.ts';
import type { FileOf, PatchOf } from './commands/context.ts';
import type { Texts, WordsFor } from './language/language.ts';
import { forPeople, hiddenLines } from './text/patch.ts';
import { pictureIn } from './text/picture.ts';
import { asRepeat } from './views/render.ts';
import { redact } from './text/redact.ts';
import { sentence, short, show as shown, showPath } from './text/text.ts';

export type DocumentParts = {
  chat: Chat;
  ledger: { query: Pick<Ledger['query'], 'artifact'> };
  wordsFor: WordsFor;
  patch: PatchOf;
  fileOf?: FileOf;
};

export type Shows = Extract<View, { view: 'document' | 'patch' | 'picture' }>;
type Document = { name: string; content: string | Uint8Array; caption: string };

/** File by file, so that taps are answered while a large one is made ready. */
const readable = async (patch: string): Promise<string> => {
  const parts: string[] = [];
  for (const file of patch.split(/(?<=\n)(?=diff --git )/)) {
    parts.push(forPeople(file));
    await setImmediate();
  }
  return parts.join('');
};

const patchOf = async (
  parts: DocumentParts,
  { since }: Extract<View, { view: 'patch' }>,
  run: Run | null,
  words: Texts,
): Promise<Document | null> => {
  const patch = run && (await parts.patch(run.id, since));
  if (!run || !patch || patch.text === '') return null;
  const content = await readable(patch.text);
  const { diff } = words;
  const hidden = hiddenLines(content);
  const caption = [
    diff.caption(run.order.repo, run.id, short(since === 'theirs' ? run.foreign?.sha : run.commit?.sha)),
    since === 'base' ? '' : diff.fix(short(run.pushed?.sha)),
    patch.omitted > 0 ? diff.omitted(patch.omitted) : '',
    hidden > 0 ? diff.hidden(hidden) : '',
    content.includes('⟦') ? diff.signs : '',
  ];
  return {
    name: `run-${run.id}${{ base: '', pushed: '-fix', theirs: '-theirs' }[since]}.patch`,
    content,
    caption: shown(caption.filter(Boolean).join(' · '), 600),
  };
};

export const sendDocument = async (
  parts: DocumentParts,
  claim: Claim,
  show: Shows,
  run: Run | null,
  { chat, silent }: { chat: string; silent: boolean },
): Promise<Finish> => {
  const words = await parts.wordsFor(chat);
  const made =
    show.view === 'patch'
      ? await patchOf(parts, show, run, words)
      : show.view === 'picture'
        ? await pictureOf(parts, show, run, words)
        : await kept(parts, claim.runId, show);
  if (!made && (show.view !== 'patch' || !run))
    return { kind: 'dead', reason: 'The file to be sent is no longer there.' };
  if (!made) {
    const html = sentence(words.diff.none(run?.id ?? ''));
    return {
      kind: 'done',
      result: { ...(await parts.chat.send({ chat, html, buttons: [], silent })), epoch: null },
    };
  }
  const caption = claim.tries > 1 ? asRepeat(made.caption, words) : made.caption;
  const sent = await parts.chat.document({
    ...{ chat, silent, name: made.name },
    content: typeof made.content === 'string' ? redact(made.content) : made.content,
    caption: redact(caption),
  });
  return { kind: 'done', result: { ...sent, epoch: null } };
};

const kept = async (
  { ledger }: DocumentParts,
  runId: string | null,
  { name, caption, artifact }: Extract<View, { view: 'document' }>,
): Promise<Document | null> => {
  const row = runId === null ? null : await ledger.query.artifact(runId, artifact);
  return row && { name, caption, content: row.content };
};

/** Its name is ours: nothing of it says what the bytes do not. */
const pictureOf = async (
  { fileOf }: DocumentParts,
  { side, sha, path }: Extract<View, { view: 'picture' }>,
  run: Run | null,
  { viewer }: Texts,
): Promise<Document | null> => {
  const bytes = run && (await fileOf?.(run.id, sha, path));
  const picture = bytes ? pictureIn(bytes) : null;
  if (!run || !bytes || !picture) return null;
  const { kind, width, height } = picture;
  return {
    name: `run-${run.id}-${side}.${kind}`,
    content: bytes,
    caption: `<b>${viewer.sides[side]}</b> · <code>${showPath(path, 200)}</code> · ${width} × ${height} · ${short(sha)}`,
  };
};
