/** Follows the edits of a run's turns from the base tree to the tree of its commit, by bytes (E9). */
import { z } from 'zod';
import type { Commit } from '#model/change';
import type { Run } from '../kernel/run/run.ts';
import type { AttemptRow, EventRow } from '#ports/ledger';
import { sha256Hex } from '../kernel/runtime/content-hash.ts';
import type { FoldedTurn, TurnFinding } from './replay-turns.ts';

type EditTree = { bytes: (path: string) => Promise<Uint8Array | null> };
export type EditSources = {
  tree: (sha: string) => Promise<EditTree | null>;
  apply: (
    patch: string,
    usual: string | null,
    files: ReadonlyMap<string, Uint8Array | null>,
  ) => ReadonlyMap<string, Uint8Array | null> | null;
};
export type EditReplay = {
  /** `gone`: the objects or texts are not kept. `mixed`: something other than turns changed it too. */
  result: 'same' | 'other' | 'gone' | 'mixed' | 'no_commit';
  reapplied: number;
  byDigest: number;
  files: number;
  findings: TurnFinding[];
  notes: string[];
};

type State = { digest: string | null; bytes: Uint8Array | null | undefined };
type Change = { path: string; before?: string | null; after: string | null };

const digestOf = (bytes: Uint8Array | null): string | null => (bytes === null ? null : sha256Hex(bytes));
const PatchInput = z.object({ patch: z.string(), path: z.string().optional() });
const patchIn = (text: string | null): z.infer<typeof PatchInput> | null => {
  try {
    return PatchInput.safeParse(JSON.parse(text ?? '')).data ?? null;
  } catch {
    return null;
  }
};

const othersIn = (events: readonly EventRow[], attempts: readonly AttemptRow[]): string[] => {
  const engines = attempts.flatMap(({ step, engine }) =>
    step === 'agent' && engine !== null && engine !== 'builtin' ? [engine] : [],
  );
  const merged = events.some(({ type }) => type === 'worker.base.merged') ? ['a merge of the base'] : [];
  const suggested = events.some(({ body }) => body.includes('"workspaceStale":true'))
    ? ['edits that reviewers suggested']
    : [];
  return [...new Set([...engines, ...merged, ...suggested])];
};

const createState = (base: EditTree) => {
  const state = new Map<string, State>();
  const at = async (path: string): Promise<State> => {
    const known = state.get(path);
    if (known) return known;
    const bytes = await base.bytes(path);
    const fresh = { digest: digestOf(bytes), bytes };
    state.set(path, fresh);
    return fresh;
  };
  return { state, at, set: (path: string, now: State): void => void state.set(path, now) };
};
type Edited = ReturnType<typeof createState>;

const applyAgain = async (
  { apply }: EditSources,
  edited: Edited,
  { patch, path = undefined }: z.infer<typeof PatchInput>,
  changes: readonly Change[],
  touched: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array | null> | null> => {
  const files = new Map<string, Uint8Array | null>();
  for (const name of new Set([...touched, ...changes.map((change) => change.path)])) {
    const { bytes } = await edited.at(name);
    if (bytes === undefined) return null;
    files.set(name, bytes);
  }
  return apply(patch, path ?? null, files);
};

type ReportDifference = (turn: number | null, says: string) => void;

const applyTurns = async (
  turns: readonly FoldedTurn[],
  sources: EditSources,
  edited: Edited,
  found: EditReplay,
  reportDifference: ReportDifference,
): Promise<void> => {
  let attempt: number | null = null;
  for (const { row, facts, text } of turns) {
    for (const { id, tool, input, request, decision, outcome } of facts.actions) {
      if (outcome === null || outcome.files.length === 0) continue;
      const patch = tool === 'patch' ? patchIn(text((decision?.input ?? input).digest)) : null;
      const made = patch && (await applyAgain(sources, edited, patch, outcome.files, request.files ?? []));
      if (made) found.reapplied += 1;
      else found.byDigest += 1;
      for (const { path, before, after } of outcome.files) {
        const was = await edited.at(path);
        if (before !== undefined && before !== was.digest) {
          const says = `${path} was changed before action ${id} by no turn`;
          if (row.attempt === attempt) reportDifference(row.seq, says);
          else found.notes.push(says);
        }
        const bytes = made?.get(path);
        // guard: E9-turn-reapplied
        if (made && (bytes === undefined || digestOf(bytes) !== after))
          found.findings.push({
            verdict: 'edits',
            turn: row.seq,
            says: `the patch of action ${id} does not make of ${path} what is recorded`,
          });
        edited.set(path, { digest: after, bytes: after === null ? null : (bytes ?? undefined) });
      }
      attempt = row.attempt;
    }
  }
};

const compareWithCommit = async (
  commit: Commit,
  { base, sealed }: { base: EditTree; sealed: EditTree },
  edited: Edited,
  found: EditReplay,
  reportDifference: ReportDifference,
): Promise<void> => {
  const paths = commit.diff.files.flatMap(({ path, oldPath }) => [
    path,
    ...(oldPath === null ? [] : [oldPath]),
  ]);
  for (const path of new Set([...paths, ...edited.state.keys()])) {
    found.files += 1;
    const now = await edited.at(path);
    const there = digestOf(await sealed.bytes(path));
    if (now.digest === there) continue;
    if (there === digestOf(await base.bytes(path))) {
      found.notes.push(`${path} was left out of the commit`);
      continue;
    }
    // guard: E9-turn-sealed
    reportDifference(null, `${path} stands in the commit with bytes that no turn made`);
  }
};

export const replayEdits = async (
  run: Run,
  turns: readonly FoldedTurn[],
  { events, attempts }: { events: readonly EventRow[]; attempts: readonly AttemptRow[] },
  sources: EditSources,
): Promise<EditReplay> => {
  const found: EditReplay = {
    result: 'same',
    reapplied: 0,
    byDigest: 0,
    files: 0,
    findings: [],
    notes: [],
  };
  const { commit } = run.change;
  if (!commit) return { ...found, result: 'no_commit' };
  const [base, sealed] = [await sources.tree(commit.base), await sources.tree(commit.sha)];
  if (!base || !sealed)
    return {
      ...found,
      result: 'gone',
      notes: [`the objects of ${base ? commit.sha : commit.base} are not here any more`],
    };
  const others = othersIn(events, attempts);
  const reportDifference: ReportDifference = (turn, says) => {
    if (others.length > 0) found.notes.push(says);
    else found.findings.push({ verdict: 'edits', turn, says });
  };
  const edited = createState(base);
  await applyTurns(turns, sources, edited, found, reportDifference);
  await compareWithCommit(commit, { base, sealed }, edited, found, reportDifference);
  if (others.length > 0) found.notes.push(`besides the turns it was changed by ${others.join(', ')}`);
  const result = found.findings.length > 0 ? 'other' : others.length > 0 ? 'mixed' : 'same';
  return { ...found, result };
};
