/** Looks at code for the model: definitions around what is found, reading by name, faults of edits (E9). */
import { findDefinitionAt, type Definition, type SourceReader } from '#outline';
import type { EditedFile, LintEdits } from '#ports/processes';
import type { BoxTools, ToolAnswer } from './box-tools.ts';
import type { ToolName } from './parse-thought.ts';

const MAX_SEARCHED_FILES = 8;
const MAX_NAMED_FILES = 12;
const MAX_SHOWN_DEFINITIONS = 3;
const MAX_LISTED_NAMES = 60;
const MAX_REFLECTIONS = 3;
const MAX_SHOWN_FAULTS = 5;
const MAX_SHOWN_COMPLAINTS = 8;
const BROKEN = 'The edit was written, but the file cannot be parsed where it could before. Fix these places:';
const COMPLAINED = 'The edit was written, but a linter of the repository has new complaints:';
const FOUND = /^(?:\.\/)?(.+?):(\d+):/;

type Input = Readonly<Record<string, unknown>>;

const describeSpan = ({ name, line, endLine }: Definition): string =>
  `${name}, ${line === endLine ? `line ${line}` : `lines ${line} to ${endLine}`}`;

export const createCodeIntelligence = (tools: BoxTools, sources: SourceReader, lint: LintEdits | null) => {
  const bases = new Map<string, string | null>();
  const unlinted = new Map<string, EditedFile>();
  let reflections = 0;

  const wholeText = async (path: string): Promise<string | null> => {
    const [one] = (await tools.use('whole', { path })).texts ?? [];
    return one?.after ?? null;
  };
  const definitionsIn = async (path: string): Promise<readonly Definition[]> => {
    const text = await wholeText(path);
    return text === null ? [] : ((await sources.outline(path, text))?.definitions ?? []);
  };

  const searchWithOutlines = async (input: Input): Promise<ToolAnswer> => {
    const found = await tools.use('search', input);
    if (!found.ok) return found;
    const lines = found.text.split('\n');
    const paths = [...new Set(lines.flatMap((line) => FOUND.exec(line)?.[1] ?? []))];
    const outlines = new Map<string, readonly Definition[]>();
    for (const path of paths.slice(0, MAX_SEARCHED_FILES)) outlines.set(path, await definitionsIn(path));
    const told = lines.map((line) => {
      const [, path = '', at = ''] = FOUND.exec(line) ?? [];
      const around = findDefinitionAt(outlines.get(path) ?? [], Number(at));
      return around === null ? line : `${line} ‹in ${describeSpan(around)}›`;
    });
    return { ...found, text: told.join('\n') };
  };

  const readDefinition = async (input: Input): Promise<ToolAnswer> => {
    const wanted = String(input['definition']);
    const name = wanted.split(/[.#]|::/).at(-1) ?? wanted;
    const paths =
      typeof input['path'] === 'string'
        ? [input['path']]
        : ((await tools.use('named', { name })).files ?? []).slice(0, MAX_NAMED_FILES);
    const shown: ToolAnswer[] = [];
    const others: string[] = [];
    const names = new Set<string>();
    for (const path of paths)
      for (const one of await definitionsIn(path)) {
        names.add(one.name);
        if (one.name !== name) continue;
        if (shown.length >= MAX_SHOWN_DEFINITIONS) others.push(`${path}, ${describeSpan(one)}`);
        else shown.push(await tools.use('read', { path, from: one.line, to: one.endLine }));
      }
    if (shown.length === 0) {
      const listed = [...names].slice(0, MAX_LISTED_NAMES).join(', ');
      const there = listed === '' ? '' : ` These are defined there: ${listed}.`;
      return { ok: false, text: `No definition of ${wanted} was found: read the file, or search.${there}` };
    }
    const more = others.length === 0 ? [] : [`Defined as well in ${others.slice(0, 20).join('; ')}`];
    return {
      ok: true,
      text: [...shown.map(({ text }) => text), ...more].join('\n\n'),
      digests: shown.flatMap(({ digests = [] }) => digests),
    };
  };

  const describeNewFaults = async (done: ToolAnswer): Promise<string[]> => {
    const told: string[] = [];
    for (const { path, before, after } of done.texts ?? []) {
      if (!bases.has(path)) bases.set(path, before);
      const faults = (await sources.faults(path, bases.get(path) ?? null, after)) ?? [];
      for (const { line, column, text } of faults.slice(0, MAX_SHOWN_FAULTS))
        told.push(`${path}:${line}:${column}: ${text}`);
    }
    return told.length === 0 ? [] : [BROKEN, ...told];
  };

  const noteEdits = ({ texts = [], digests = [] }: ToolAnswer): void => {
    const now: [string, string | null][] = [
      ...texts.map(({ path, after }): [string, string] => [path, after]),
      ...digests.flatMap(({ path, digest }): [string, null][] => (digest === null ? [[path, null]] : [])),
    ];
    for (const [path, after] of now) unlinted.set(path, { path, before: bases.get(path) ?? null, after });
  };

  const describeLintComplaints = async (): Promise<string[]> => {
    const edited = [...unlinted.values()];
    unlinted.clear();
    const found = lint === null || edited.length === 0 ? [] : await lint(edited);
    const told = found.slice(0, MAX_SHOWN_COMPLAINTS).map(({ program, path, line, text }) => {
      const at = line === null ? path : `${path}:${line}`;
      return `${at}: ${text === '' ? 'it is not formatted as the repository wants' : text} (${program})`;
    });
    const more = found.length - told.length;
    return told.length === 0 ? [] : [COMPLAINED, ...told, ...(more > 0 ? [`… and ${more} more`] : [])];
  };

  const patchWithReflection = async (input: Input): Promise<ToolAnswer> => {
    const done = await tools.use('patch', input);
    // guard: S7-edit-reflections
    if (!done.ok || reflections >= MAX_REFLECTIONS) return done;
    const broken = await describeNewFaults(done);
    noteEdits(done);
    const told = broken.length > 0 ? broken : await describeLintComplaints();
    if (told.length === 0) return done;
    reflections += 1;
    return { ...done, text: [done.text, ...told].join('\n') };
  };

  return (tool: ToolName, input: Input): Promise<ToolAnswer> => {
    if (tool === 'search') return searchWithOutlines(input);
    if (tool === 'patch') return patchWithReflection(input);
    return tool === 'read' && input['definition'] !== undefined
      ? readDefinition(input)
      : tools.use(tool, input);
  };
};
export type CodeEye = ReturnType<typeof createCodeIntelligence>;
