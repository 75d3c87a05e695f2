/** E7: what a repository tells about itself, mechanically: how to check it, and what it asks of contributions. */
import type { Contract } from '../facts.ts';
import { ecosystemsOf, MANIFEST_FILES } from './ecosystems.ts';
import { readRules, type RuleFile } from './rules.ts';
import { READ_AT_MOST } from './sentences.ts';

/** Content of a file that was asked for; null when it is missing, too large or not text. */
export type ReadFile = (path: string) => string | null;

const MOST_FILES = 60;
const MOST_RULE_FILES = 30;
const HUGE = 20_000;

const TEMPLATE =
  /^(?:\.github\/|docs\/|)pull_request_template(?:\.(?:md|txt))?$|^(?:\.github\/|docs\/|)pull_request_template\/[^/]+\.(?:md|txt)$/i;
const RULE_FILE =
  /^(?:\.github\/|docs?\/|)(?:contributing[^/]*|contributing\/[^/]+\.(?:md|rst|txt|adoc)|hacking[^/]*|(?:no[-_ ]?ai|(?:ai|llm|genai)[-_ ]?(?:policy|usage|contributions?|guidelines))[^/]*|agents\.md)$/i;
const README = /^readme(?:\.(?:md|rst|txt|adoc))?$/i;
const DCO_FILE = /^\.github\/dco\.ya?ml$/i;
const COMMITLINT = /^(?:\.commitlintrc[^/]*|commitlint\.config\.[cm]?[jt]s)$/i;

const isText = (path: string): boolean => !/\.(?:png|jpe?g|gif|svg|pdf|zip|gz)$/i.test(path);
const depth = (path: string): number => path.split('/').length;
const byDepth = (a: string, b: string): number => depth(a) - depth(b) || (a < b ? -1 : a > b ? 1 : 0);

/** A single template before a choice of them, `.github` before the root before `docs`. */
const templateRank = (path: string): number =>
  (/template\//i.test(path) ? 10 : 0) + (/^\.github\//i.test(path) ? 0 : /^docs\//i.test(path) ? 2 : 1);

const templates = (paths: readonly string[]): string[] =>
  paths
    .filter((p) => TEMPLATE.test(p))
    .sort((a, b) => templateRank(a) - templateRank(b) || byDepth(a, b))
    .slice(0, 6);

/** Which files to load: manifests and rules, the root first. */
export const wantedFiles = (paths: readonly string[]): string[] => {
  const rules = paths
    .filter((p) => isText(p) && (RULE_FILE.test(p) || README.test(p) || DCO_FILE.test(p)))
    .sort(byDepth);
  const manifests = paths.filter((p) => !p.includes('/') && MANIFEST_FILES.test(p)).sort(byDepth);
  const lint = paths.filter((p) => COMMITLINT.test(p)).sort(byDepth);
  // Rules come first: a ban that is not read is worse than a check that is not found.
  const wanted = new Set([...rules.slice(0, MOST_RULE_FILES), ...templates(paths), ...manifests, ...lint]);
  return [...wanted].slice(0, MOST_FILES).sort(byDepth);
};

const flags = (paths: readonly string[], read: ReadFile, checks: Contract['checks']): string[] => {
  const out: string[] = [];
  if (/filter=lfs/.test(read('.gitattributes') ?? '')) out.push('Git LFS: large files are not fetched');
  if (paths.includes('.gitmodules')) out.push('submodules: they are not fetched');
  if (paths.length > HUGE) out.push(`very large: ${paths.length} files`);
  const hasTests = paths.some((p) => /(?:^|[/._-])(?:tests?|specs?|__tests__)(?:[/._-]|$)/i.test(p));
  if (!hasTests) out.push('no tests were found');
  if (checks.length === 0) out.push('no checks were found');
  else if (!checks.some((c) => /test/.test(c.name))) out.push('no check runs tests');
  return out;
};

/** Rules that nobody here could read may ask for anything. */
const unread = (paths: readonly string[], read: ReadFile): Contract['rules'] =>
  wantedFiles(paths)
    .filter((path) => RULE_FILE.test(path))
    .filter((path) => (read(path)?.length ?? Infinity) > READ_AT_MOST)
    .map((file) => ({
      kind: 'other',
      quote: 'This file is too long, or no text that we can read.',
      file,
      line: 1,
    }));

export const discover = (paths: readonly string[], read: ReadFile): Contract => {
  const found = ecosystemsOf(paths, read);
  const template = templates(paths).map((path) => ({ path, text: read(path) }));
  const files: RuleFile[] = wantedFiles(paths)
    .filter((p) => RULE_FILE.test(p) || README.test(p) || TEMPLATE.test(p) || DCO_FILE.test(p))
    .flatMap((path) => {
      const text = read(path);
      return text === null ? [] : [{ path, text }];
    });
  const said = readRules(files);
  const rules = [...said.rules, ...unread(paths, read)];
  const first = template.find((t) => t.text !== null && t.text.trim() !== '');
  if (first)
    rules.push({
      kind: 'template',
      quote: 'The description follows the template.',
      file: first.path,
      line: 1,
    });
  const dco = paths.find((p) => DCO_FILE.test(p));
  if (dco) rules.push({ kind: 'dco', quote: 'Commits are checked for a sign-off.', file: dco, line: 1 });
  const lint = paths.find((p) => COMMITLINT.test(p));
  if (lint) rules.push({ kind: 'commit_style', quote: 'Commit messages are linted.', file: lint, line: 1 });
  return {
    ...found,
    branchRule: said.branchRule,
    titleRule: rules.some((r) => r.kind === 'commit_style') ? 'conventional' : null,
    rules,
    template: first?.text?.slice(0, 10_000) ?? null,
    riskFlags: flags(paths, read, found.checks),
  };
};
