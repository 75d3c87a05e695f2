/** Collects the facts of a change from git objects alone (P2). */
import type { DependencyChange, DiffFacts, FileChange, Finding } from '#model/change';
import { KB, MB } from '#model/values';
import { stat } from 'node:fs/promises';
import { isLfsPointer, hasMixedAlphabets } from './content-findings.ts';
import type { RawChange } from '../parse-diff-tree.ts';
import { foldExcessFindings } from './fold-excess-findings.ts';
import type { TrustedGit } from '../trusted-git.ts';
import { createContentScan, type ContentScan } from './scan-content.ts';
import { listFilteredPaths, isFiltered } from '../filtered-paths.ts';
import { createLinkNameFinder, escapesTree } from '../symlink-escapes.ts';
import { displayPath, type RawPath } from '../path-names.ts';
import { listTree, readBlobs, repositoryTooLarge, type GitTree } from '../read-objects.ts';
import type { ExposedSecrets } from '#sandbox';
import { createPeriodicYield } from '../../process/yield-event-loop.ts';
import {
  readChangesWithPatch,
  computeChangeDigest,
  countShownBytes,
  writeReadablePatch,
  type CommitRange,
} from './change-patch.ts';
import { WALK_LIMITS } from './walk-workspace.ts';
import { DOCUMENT_LIMIT } from '#text-safety';

const GROUP_BYTES = 32 * MB;
const MAX_FINDINGS = 300;
const MAX_DEPENDENCIES = 100;

const linksOf = async (git: TrustedGit, gitDir: string, sha: string): Promise<Map<RawPath, string>> => {
  const links = [...(await listTree(git, gitDir, sha)).values()].filter((e) => e.mode === '120000');
  const small = links.filter((e) => (e.size ?? 0) <= 4096);
  const targets = await readBlobs(
    git,
    gitDir,
    small.map((e) => e.oid),
  );
  return new Map(links.map((e) => [e.path, targets.get(e.oid)?.toString('latin1') ?? '/']));
};

const linkFindings = async (
  git: TrustedGit,
  range: CommitRange,
  changes: readonly RawChange[],
): Promise<Finding[]> => {
  const touched = changes.some(({ file }) => file.newMode === '120000' || file.oldMode === '120000');
  if (!touched) return [];
  const before = await linksOf(git, range.gitDir, range.base);
  const links = await linksOf(git, range.gitDir, range.head);
  return [...links].flatMap(([path, target]): Finding[] =>
    escapesTree(links, path) && !(before.get(path) === target && escapesTree(before, path))
      ? [
          {
            kind: 'symlink_escape',
            path: displayPath(path),
            line: 0,
            note: { kind: 'leads_to', target: displayPath(target).slice(0, 200) },
          },
        ]
      : [],
  );
};

const MAX_LINKED_NAMES = 20_000;

/** E11: what a link calls by another name is judged by that name as well. */
const withLinkedNames = async (
  git: TrustedGit,
  { gitDir, head }: CommitRange,
  changes: readonly RawChange[],
): Promise<RawChange[]> => {
  const links = await linksOf(git, gitDir, head);
  const namesOf = createLinkNameFinder(links, MAX_LINKED_NAMES);
  const pace = createPeriodicYield();
  const named: RawChange[] = [];
  for (const change of changes) {
    await pace();
    const names = namesOf(change.rawPath);
    if (names === null) throw repositoryTooLarge();
    // guard: E11-linked-names
    const linkedNames = names.length > 0 ? { linkedNames: names.map(displayPath) } : {};
    named.push({ ...change, file: { ...change.file, ...linkedNames } });
  }
  return named;
};

/** The repository's filter should have encrypted or replaced it. */
const rawIn = (filter: string | null, bytes: Uint8Array): 'lfs_raw' | 'filter_raw' | null => {
  if (filter === null) return null;
  if (filter === 'lfs') return isLfsPointer(bytes) ? null : 'lfs_raw';
  return isFiltered(bytes) ? null : 'filter_raw';
};

const isPlain = (mode: string): boolean => mode.startsWith('100');

const groupBySize = (changes: readonly RawChange[], sizes: ReadonlyMap<string, number>): RawChange[][] => {
  const made: RawChange[][] = [];
  let room = 0;
  for (const change of changes) {
    const size = (sizes.get(change.oldOid) ?? 0) + (sizes.get(change.newOid) ?? 0);
    if (size > room || made.length === 0) {
      made.push([]);
      room = GROUP_BYTES;
    }
    made.at(-1)?.push(change);
    room -= size;
  }
  return made;
};

const hasContent = (mode: string): boolean => mode.startsWith('100') || mode === '120000';

const sizesIn = (...trees: GitTree[]): Map<string, number> =>
  new Map(
    trees.flatMap((tree) =>
      [...tree.values()].flatMap(({ oid, size }): [string, number][] => (size === null ? [] : [[oid, size]])),
    ),
  );

type Read = { findings: Finding[]; dependencies: DependencyChange[]; ownVersions: string[] };

const readChanges = async (
  git: TrustedGit,
  range: CommitRange,
  changes: readonly RawChange[],
  lent: ExposedSecrets | null,
  scan: ContentScan,
): Promise<Read> => {
  const open = changes.filter(
    (c) => c.oldOid !== c.newOid && (hasContent(c.file.newMode) || hasContent(c.file.oldMode)),
  );
  if (open.length === 0) return { findings: [], dependencies: [], ownVersions: [] };
  const base = await listTree(git, range.gitDir, range.base);
  const head = await listTree(git, range.gitDir, range.head);
  const sizes = sizesIn(base, head);
  const isTooLarge = (oid: string): boolean => (sizes.get(oid) ?? 0) > WALK_LIMITS.fileBytes;
  const found: Finding[] = [];
  const dependencies: DependencyChange[] = [];
  const ownVersions: string[] = [];
  const readable = open.filter((c) => !isTooLarge(c.newOid));
  for (const { file, newOid } of open.filter((c) => isTooLarge(c.newOid)))
    found.push({
      kind: 'not_read',
      path: file.path,
      line: 0,
      note: { kind: 'bytes', bytes: sizes.get(newOid) ?? 0, skipped: false },
    });
  const plain = readable.filter(({ file }) => isPlain(file.newMode)).map(({ file }) => file.path);
  const [now, before] = await Promise.all(
    [head, base].map((tree) => listFilteredPaths(git, range.gitDir, tree, plain)),
  );
  const filterOf = (path: string): string | null => now?.get(path) ?? before?.get(path) ?? null;
  const pace = createPeriodicYield();
  for (const group of groupBySize(readable, sizes)) {
    const wanted = group
      .flatMap((c) => [c.oldOid, c.newOid])
      .filter((oid) => sizes.has(oid) && !isTooLarge(oid));
    const blobs = await readBlobs(git, range.gitDir, wanted);
    for (const { file, oldOid, newOid } of group) {
      await pace();
      const [old, now] = [blobs.get(oldOid), blobs.get(newOid)];
      const [before, after] = [
        old ? { path: file.oldPath ?? file.path, bytes: old } : null,
        now ? { path: file.path, bytes: now } : null,
      ];
      found.push(...(await scan.findings({ before, after })));
      dependencies.push(...(await scan.dependencies({ before, after })));
      if (await scan.ownVersion({ before, after })) ownVersions.push(file.path);
      if (now && lent) found.push(...(await findExposedIn(lent, file.path, now, pace)));
      const raw = now && isPlain(file.newMode) ? rawIn(filterOf(file.path), now) : null;
      if (raw) found.push({ kind: raw, path: file.path, line: 0, note: { kind: 'own_bytes' } });
    }
  }
  return { findings: found, dependencies, ownVersions };
};

const READ_PIECE_BYTES = 256 * KB;
const exposureFindings = (path: string, names: readonly string[]): Finding[] =>
  names.length === 0
    ? []
    : [
        {
          kind: 'exposed_credential',
          path,
          line: 0,
          note: { kind: 'exposed_credentials', names: [...names] },
        },
      ];
const findExposedIn = async (
  lent: ExposedSecrets,
  path: string,
  bytes: Uint8Array,
  pace: () => Promise<void>,
): Promise<Finding[]> => {
  const search = lent.search();
  for (let from = 0; from < bytes.length; from += READ_PIECE_BYTES) {
    search.add(bytes.subarray(from, from + READ_PIECE_BYTES));
    await pace();
  }
  return exposureFindings(path, search.end());
};
const alikeInName = ({ path, oldPath, status }: FileChange): Finding[] =>
  status !== 'deleted' && (status === 'added' || oldPath !== null) && hasMixedAlphabets(path)
    ? [{ kind: 'mixed_script', path, line: 0, note: { kind: 'scripts_mixed_in_name' } }]
    : [];
const findExposedInName = (lent: ExposedSecrets, path: string): Finding[] =>
  exposureFindings(path, lent.namesIn(path));

/** A limit must never hide blocking findings behind harmless ones. */
const FINDING_RANK: Readonly<Record<Finding['kind'], number>> = {
  secret: 0,
  exposed_credential: 0,
  not_read: 1,
  symlink_escape: 1,
  bidi_text: 1,
  hidden_line: 2,
  likely_secret: 2,
  hidden_text: 3,
  mixed_script: 3,
  look_alike: 2,
  test_removed: 4,
  test_skipped: 4,
  test_weakened: 4,
  unseen_change: 5,
  line_endings_only: 5,
  whitespace_only: 5,
  long_line: 5,
  lfs_pointer: 5,
  lfs_raw: 5,
  filter_raw: 2,
  nested_repository: 5,
  special_file: 5,
  hard_link: 5,
  bad_name: 5,
  too_large: 5,
  skipped_ignored: 6,
  agent_git: 6,
};

const mergeFindings = (all: readonly Finding[], more: readonly Finding[]): Finding[] => {
  const known = new Map(all.map((f) => [`${f.kind} ${f.path}`, f]));
  for (const f of more) {
    const same = known.get(`${f.kind} ${f.path}`);
    if (!same || (f.count ?? 1) > (same.count ?? 1)) known.set(`${f.kind} ${f.path}`, f);
  }
  return [...known.values()];
};

const measureRange = async (
  git: TrustedGit,
  range: CommitRange,
  scan: ContentScan,
): Promise<{ bytes: number; document: number; findings: Finding[] }> => {
  const file = await writeReadablePatch(git, range);
  const [{ size }, document] = [await stat(file), await countShownBytes(file)];
  return { bytes: size, document, findings: document > DOCUMENT_LIMIT ? [] : await scan.patch(file) };
};

/** The card also shows the patch after `since`, the last pushed commit. */
export const readDiffFacts = async (
  git: TrustedGit,
  range: CommitRange,
  since: string = range.base,
  lent: ExposedSecrets | null = null,
): Promise<DiffFacts> => {
  const scan = createContentScan();
  const changes = await withLinkedNames(git, range, await readChangesWithPatch(git, range));
  const digest = await computeChangeDigest(git, range);
  const shown = await measureRange(git, range, scan);
  // People review only the changes since the last push.
  const fix = since === range.base ? null : await measureRange(git, { ...range, base: since }, scan);
  const read = await readChanges(git, range, changes, lent, scan);
  const findings = [
    ...(await linkFindings(git, range, changes)),
    ...read.findings,
    ...changes.flatMap(({ file }) => alikeInName(file)),
    ...(lent ? changes.flatMap(({ file }) => findExposedInName(lent, file.path)) : []),
    ...(fix ? mergeFindings(shown.findings, fix.findings) : shown.findings),
  ].sort((a, b) => FINDING_RANK[a.kind] - FINDING_RANK[b.kind]);
  // Names that contain a secret are hidden in storage and display too.
  const hideText = (name: string): string => lent?.hide(name) ?? name;
  const hideOrNull = (word: string | null): string | null => (word === null ? null : hideText(word));
  const hideInDependency = ({ name, was, version, path }: DependencyChange): DependencyChange => ({
    name: hideText(name),
    was: hideOrNull(was),
    version: hideOrNull(version),
    path: hideText(path),
  });
  const files = changes.map(({ file }) => ({
    ...file,
    path: hideText(file.path),
    oldPath: hideOrNull(file.oldPath),
    ...(file.linkedNames ? { linkedNames: file.linkedNames.map(hideText) } : {}),
  }));
  return {
    files,
    added: files.reduce((sum, f) => sum + f.added, 0),
    deleted: files.reduce((sum, f) => sum + f.deleted, 0),
    digest,
    bytes: shown.bytes,
    documentBytes: Math.max(shown.document, fix?.document ?? 0),
    findings: foldExcessFindings(findings, MAX_FINDINGS).map((f) => ({ ...f, path: hideText(f.path) })),
    ...(read.dependencies.length > 0
      ? { dependencies: read.dependencies.slice(0, MAX_DEPENDENCIES).map(hideInDependency) }
      : {}),
    ...(read.ownVersions.length > 0 ? { ownVersions: read.ownVersions.map(hideText) } : {}),
  };
};
