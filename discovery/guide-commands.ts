/** Finds commands in guides: better than a guess when workflows and tasks have none. */
import { FORMATTER, formatsForCi, toNoDiffCommand, findCheckOnlyCommand } from './formatter-tasks.ts';
import type { FoundCommand } from './probe-types.ts';
import { recogniseProgram, type RecognisedProgram, type TaskBody } from './recognise-program.ts';
import { isAiPolicy, isContributionGuide, isReadme, isTemplate, ruleFiles } from './rule-files.ts';
import { MAX_READ_LENGTH } from './split-sentences.ts';
import { splitScript, isBuildUnconfigured, type ScriptLine } from './workflows/split-script.ts';
import { unwrapCommand } from './unwrap-command.ts';

const MOST_COMMANDS = 400;
const MAX_GUIDE_COMMAND_LENGTH = 160;

const PLACEHOLDER =
  /[<>[\]{}…]|\.\.\.(?!\/?(?:\s|$))|\bpath\/to\b|\bYOUR|\bfoo\b|\bmy[-_]|=["']?$|(?<!clippy|rustdoc|devtools|testthat|rcmdcheck)::|\*\*|^[~/]/i;
const SINGLE =
  /(?:^|\s)(?:-k|-t|-E|-run|--run|-m|--grep|-g|--filter|--test|--tests|-p|--package|--lib|--bins?|--example|--watch|-w|--ignored|--features|--coverage|--cov\S*|-u|--update\S*|--fix|--write|--nocapture|-d|--debug|--only|-Dtest\S*|--bless|--accept|--snapshot\S*|-bench\S*|-n|-j|-x|-s|--pdb|--inspect\S*|--target\S*|--release)(?=[\s=]|$)/;
const OF_PART = /\s(?:\.\/)?[\w-]+(?:\/[\w.-]+)*(?:\.\w{1,8}|\/)(?=\s|$)/;

/** `npm test` (in `web/`) */
const INLINE =
  /(?<!`)``?([^`\n]{4,160})``?(?!`)(?: \((?:in|from) (?:the )?`([\w.-]+(?:\/[\w.-]+)*)\/?`(?: folder| directory)?\))?/g;

type Shown = { script: string; line: number };

const OF_SHELL =
  /^(?:|sh|bash|shell|console|zsh|shell-session|shellsession|terminal|text|powershell|fish|cmd)$/i;

const inlineScripts = (line: string, at: number): Shown[] =>
  [...line.matchAll(INLINE)].flatMap(([, code = '', dir]) =>
    /^[\w./-]+ \S/.test(code)
      ? [{ script: dir === undefined ? code : `cd ${dir} && ${code}`, line: at }]
      : [],
  );

const findShownScripts = (text: string): Shown[] => {
  const out: Shown[] = [];
  let [fence, block, first] = ['', '', 0];
  const lines = text.slice(0, MAX_READ_LENGTH).split(/\r?\n/);
  const isLiteralBlock = (index: number): boolean =>
    /::\s*$/.test(lines[index] ?? '') || /^\.\. (?:code|prompt)/.test(lines[index] ?? '');
  let indented = false;
  let listed = false;
  const endBlock = (): void => {
    if (block !== '') out.push({ script: block, line: first });
    block = '';
  };
  lines.forEach((line, i) => {
    const mark = /^\s*(?:>\s*)?(```+|~~~+)\s*([\w-]*)/.exec(line);
    if (mark) {
      if (fence === '') {
        first = i + 2;
        fence = OF_SHELL.test(mark[2] ?? '') ? (mark[1] ?? '') : `${mark[1] ?? ''} `;
      } else {
        if (!fence.endsWith(' ')) endBlock();
        [fence, block] = ['', ''];
      }
      return;
    }
    if (fence !== '') {
      block += `${line.trim().replace(/^(?:\([\w.-]+\) ?)?(?:[$%>❯]|C:\\>)\s+/, '')}\n`;
      return;
    }
    if (/^\S/.test(line)) listed = /^(?:[-*+]|\d+[.)])\s/.test(line);
    const apart = (lines[i - 1] ?? '').trim() === '' && /^(?: {4}|\t)[\w./]/.test(line) && !listed;
    if (isLiteralBlock(i) || apart || /^(?: {4}|\t)\s*[$%]\s/.test(line)) indented = true;
    if (isLiteralBlock(i) && !/^\s{2,}[$%]/.test(line)) return;
    if (indented && /^\s{2,}\S/.test(line)) {
      if (block === '') first = i + 1;
      block += `${line.trim().replace(/^[$%>]\s+/, '')}\n`;
    } else if (indented && line.trim() !== '' && !/^\s*:\w+:/.test(line)) {
      indented = false;
      endBlock();
    }
    if (!indented) out.push(...inlineScripts(line, i + 1));
  });
  if (!fence.endsWith(' ')) endBlock();
  return out;
};

const PLAINEST = /^(?!.*\/)(?!.*[-_:]test)(?!.*test[-_:])\w[\w.-]*$/i;

const FILE = /\s(?:\.\/)?([\w./-]+\.(?:py|js|ts|tsx|rb|php|go|rs|c|cpp|java|ex|exs))(?=\s|$)/;

const CONFIGURES =
  /^(?:cmake (?!--install|-E)|meson (?:setup|compile)\b|ninja -C |perl (?:Makefile|Build)\.PL$|(?:\.\/|(?:ba)?sh )autogen\.sh$|autoreconf\b|(?:\.\/|(?:ba)?sh )configure\b|make$|\.\/Build$)/;
const OF_BUILD = /^(?:cmake --build|ctest|ninja -C|meson (?:compile|test)|make|\.\/Build)\b/;
const MAKEFILE = /^(?:GNUmakefile|[Mm]akefile)$/;

type Told = FoundCommand & { times: number };

/** READMEs address users, so only their test commands count, and only without a guide. */
const filesOf = (paths: readonly string[]): string[] => {
  const files = ruleFiles(paths).filter((p) => !isAiPolicy(p));
  const guides = files.filter((p) => isContributionGuide(p) || isTemplate(p));
  return [...guides, ...files.filter((p) => isReadme(p) && !p.includes('/'))];
};

const isConfigured = (before: readonly string[]): boolean =>
  before.some((one) => !/^(?:make|\.\/Build)$/.test(one));
const lacksMakefile = (
  command: string,
  dir: string,
  before: readonly string[],
  paths: readonly string[],
): boolean =>
  /^make\b/.test(command) &&
  // guard: E7-makefile-there
  !isConfigured(before) &&
  !paths.some(
    (p) =>
      p.startsWith(dir === '' ? '' : `${dir}/`) && MAKEFILE.test(p.slice(dir === '' ? 0 : dir.length + 1)),
  );

/** A value to fill in, several words of prose, or a workspace that each contributor makes for themselves. */
const isForReaders = (command: string, paths: readonly string[]): boolean =>
  command.length > MAX_GUIDE_COMMAND_LENGTH ||
  PLACEHOLDER.test(command) ||
  /(?<![\s/.])[.,:!?]$| - /.test(command) ||
  (/^go \w+ work$/.test(findCheckOnlyCommand(command) ?? command) && !paths.includes('go.work'));

const isPartOfTests = (command: string): boolean => {
  const rest = unwrapCommand(command)
    .replace(/^\S+/, '')
    .replace(/ (?:-C|--test-dir) \S+/, '');
  return SINGLE.test(rest) || OF_PART.test(rest);
};

const SHELL_SCRIPT = /^\.\/([\w./-]+\.(?:sh|bash))(?=\s|$)/;
const namesMissingFile = (command: string, paths: readonly string[]): boolean =>
  [FILE, SHELL_SCRIPT].some((one) => {
    const file = one.exec(command)?.[1];
    return file !== undefined && !paths.includes(file);
  });

const isContributors = (file: string, { purpose, program, script }: RecognisedProgram): boolean => {
  if (isReadme(file)) return purpose === 'test' && PLAINEST.test(script ?? program);
  return purpose !== 'install' || !program.includes('/');
};

/** `yarn test` of another package, where this one has no such script. */
const lacksScript = (
  { ecosystem, program, script }: RecognisedProgram,
  dir: string,
  body: TaskBody,
): boolean => ecosystem === 'node' && script === 'test' && body(program, script, dir) === null;

export const findGuideCommands = (
  paths: readonly string[],
  read: (path: string) => string | null,
  fits: (dir: string, ecosystem: string) => boolean,
  body: TaskBody,
): FoundCommand[] => {
  const told = new Map<string, Told>();
  const addCommand = (file: string, { command, line, dir }: ScriptLine, before: string[]): void => {
    if (isForReaders(command, paths)) return;
    const shown = findCheckOnlyCommand(command) ?? command;
    const known = recogniseProgram(shown, dir, body) ?? (formatsForCi(shown) ? FORMATTER : null);
    if (CONFIGURES.test(shown) && dir === '') before.push(shown);
    if (!known || known.purpose === 'system' || known.purpose === 'prepare') return;
    const { purpose, ecosystem } = known;
    if (purpose === 'test' && isPartOfTests(shown)) return;
    if (!isContributors(file, known) || namesMissingFile(shown, paths)) return;
    const place = [dir, ''].find((one) => fits(one, ecosystem));
    if (
      place === undefined ||
      lacksScript(known, place, body) ||
      isBuildUnconfigured(shown, before) ||
      lacksMakefile(shown, place, before, paths)
    )
      return;
    const made = OF_BUILD.test(shown) && isConfigured(before) ? before.filter((b) => b !== shown) : [];
    const run = known === FORMATTER ? toNoDiffCommand(shown) : shown;
    const key = [purpose, place, run].join('\n');
    const again = told.get(key);
    told.set(key, {
      kind: purpose,
      ecosystem,
      command: run,
      dir: place,
      ...(made.length > 0 ? { before: made.slice(-3) } : {}),
      source: again?.source ?? `${file}:${line}`,
      times: (again?.times ?? 0) + (isReadme(file) ? 1 : 3),
    });
  };
  let taken = 0;
  for (const file of filesOf(paths))
    for (const { script, line: first } of findShownScripts(read(file) ?? '')) {
      const before: string[] = [];
      for (const shown of splitScript(script, '', { env: {}, given: {} })) {
        taken += 1;
        if (taken > MOST_COMMANDS) break;
        if (!shown.maybe) addCommand(file, { ...shown, line: first + shown.line }, before);
      }
    }
  return [...told.values()]
    .sort((a, b) => b.times - a.times || a.command.length - b.command.length)
    .map(({ times: _, ...found }) => found);
};
