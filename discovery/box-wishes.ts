/** Reads which image a repository's files ask for, and which services stand beside its tests (E20). */
import {
  BoxService,
  isImageName,
  MachineLabel,
  type BoxWish,
  type CiVersions,
  type WishedImage,
} from '#model/environment';
import type { Contract, ContractTool } from '#model/contract';
import { findToolImage, languageRuntimes } from '#tools';
import { childTree, parseYamlTree, textAt, textsIn, type YamlTree } from './workflows/yaml-tree.ts';

type Read = (path: string) => string | null;

const MAIN_DEVCONTAINERS = ['.devcontainer/devcontainer.json', '.devcontainer.json'];
const NAMED_DEVCONTAINER = /^\.devcontainer\/([^/]{1,200})\/devcontainer\.json$/;
/** In the order in which they count; of several with a name, an editor lets a person choose. */
export const selectDevcontainers = (paths: readonly string[]): { files: string[]; unread: string[] } => {
  const main = MAIN_DEVCONTAINERS.filter((path) => paths.includes(path));
  const named = paths.filter((path) => NAMED_DEVCONTAINER.test(path));
  if (named.length === 1) return { files: [...main, ...named], unread: [] };
  const names = named.flatMap((path) => NAMED_DEVCONTAINER.exec(path)?.[1] ?? []).sort();
  return { files: main, unread: main.length > 0 ? [] : names };
};
const MAX_TOLD_DEVCONTAINERS = 5;
export const flagDevcontainers = (paths: readonly string[]): string[] => {
  const { unread } = selectDevcontainers(paths);
  const more = unread.length > MAX_TOLD_DEVCONTAINERS ? ', …' : '';
  return unread.length === 0
    ? []
    : [
        `several devcontainers (${unread.slice(0, MAX_TOLD_DEVCONTAINERS).join(', ')}${more}): none is taken; containers.image of agentpr.config.json says which image`,
      ];
};
const MAX_DEVCONTAINER_LENGTH = 100_000;
const MOST_SERVICES = 10;

/** The file is JSON with comments; strings keep theirs. */
const withoutComments = (text: string): string => {
  let out = '';
  for (let at = 0; at < text.length; at += 1) {
    const two = text.slice(at, at + 2);
    if (text[at] === '"') {
      const from = at;
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
      out += text.slice(from, at + 1);
    } else if (two === '//' || two === '/*') {
      const end = text.indexOf(two === '//' ? '\n' : '*/', at + 2);
      at = end < 0 ? text.length : two === '//' ? end - 1 : end + 1;
    } else out += text[at];
  }
  return out;
};

const imageIn = (text: string): string | null => {
  // JSON is YAML, whose reader has limits, and takes a comma too many.
  const image = textAt(parseYamlTree(withoutComments(text)) ?? undefined, 'image');
  return image !== null && isImageName(image) ? image : null;
};

const ofDevcontainer = (paths: readonly string[], read: Read): WishedImage[] =>
  selectDevcontainers(paths).files.flatMap((source): WishedImage[] => {
    const text = read(source)?.slice(0, MAX_DEVCONTAINER_LENGTH) ?? null;
    const image = text === null ? null : imageIn(text);
    return image === null ? [] : [{ image, from: 'devcontainer', source }];
  });

/** `ranges` of a manifest name what is the least; a tag is one version. */
const tagOf = ({ asked }: Pick<ContractTool, 'asked'>): string | null =>
  /(?<![\d.])v?(\d{1,4}(?:\.\d{1,4}){0,2})/.exec((asked ?? '').slice(0, 100))?.[1] ?? null;

const ofTools = (tools: readonly ContractTool[], ci: readonly CiVersions[]): WishedImage[] => {
  const { names } = languageRuntimes();
  const known = tools.flatMap((tool) => {
    const image = findToolImage(tool.name);
    const tested = ci.find(({ name }) => name === tool.name);
    const tag = (tested && (tested.newest ?? tested.oldest)) ?? tagOf(tool);
    return image === null || tag === null ? [] : [{ ...tool, image: `${image}:${tag}` }];
  });
  // A language says more than what installs its packages.
  const ranked = [...known.filter(({ name }) => names.has(name)), ...known];
  return [...new Map(ranked.map((one) => [one.image, one])).values()].flatMap(
    ({ image, source }): WishedImage[] => (isImageName(image) ? [{ image, from: 'tool', source }] : []),
  );
};

const SOURCE = /^(.{1,1000}):(\d{1,7})$/;
type Job = { file: string; line: number; tree: YamlTree };
/** The job of a workflow in which a line stands. */
const jobAt = (source: string, jobsOf: (file: string) => readonly Job[]): Job | null => {
  const [, file = '', line = '0'] = SOURCE.exec(source) ?? [];
  return jobsOf(file).findLast((job) => job.line <= Number(line)) ?? null;
};

const readJobsFrom = (read: Read) => {
  const known = new Map<string, readonly Job[]>();
  return (file: string): readonly Job[] => {
    const before = known.get(file);
    if (before) return before;
    const text = /^\.github\/workflows\//.test(file) ? read(file) : null;
    const jobs = childTree((text === null ? null : parseYamlTree(text)) ?? undefined, 'jobs');
    const found = [...(jobs?.entries.values() ?? [])]
      .map((tree) => ({ file, line: tree.line, tree }))
      .sort((a, b) => a.line - b.line);
    known.set(file, found);
    return found;
  };
};

/** An option of `docker create`, with its value behind `=` or a blank, quoted or not. */
const healthCommand = (options: string): string | null => {
  const [, double, single, plain] =
    /--health-cmd(?:=| {1,5})(?:"([^"]{1,1000})"|'([^']{1,1000})'|([^\s"']{1,1000}))/.exec(
      options.slice(0, 5_000),
    ) ?? [];
  return double ?? single ?? plain ?? null;
};

/** `8080:5432/tcp` is 5432 in the container, and there the service is seen. */
const portOf = (text: string): number[] => {
  const port = Number(/^(?:[\d.]{1,20}:)?(?:\d{1,5}:)?(\d{1,5})(?:\/tcp)?$/.exec(text)?.[1]);
  return port >= 1 && port <= 65_535 ? [port] : [];
};

/** Expressions are left out: what they stand for is known on a runner alone. */
const isPlain = (value: string): boolean => !value.includes('${{');

const serviceOf = (name: string, tree: YamlTree): BoxService[] => {
  const ports = childTree(tree, 'ports')?.items.flatMap(({ text }) => portOf(text ?? '')) ?? [];
  const env = Object.entries(textsIn(childTree(tree, 'env'))).filter(([, value]) => isPlain(value));
  const service = BoxService.safeParse({
    name,
    image: textAt(tree, 'image') ?? '',
    env: Object.fromEntries(env),
    ports,
    health: healthCommand(textAt(tree, 'options') ?? ''),
  });
  return service.success ? [service.data] : [];
};

const servicesIn = ({ tree }: Job): BoxService[] =>
  [...(childTree(tree, 'services')?.entries ?? [])]
    .slice(0, MOST_SERVICES)
    .flatMap(([name, service]) => serviceOf(name, service));

const containerIn = ({ file, tree }: Job): WishedImage[] => {
  const at = childTree(tree, 'container');
  const image = textAt(tree, 'container') ?? textAt(at, 'image') ?? '';
  return isImageName(image) ? [{ image, from: 'workflow', source: `${file}:${at?.line ?? tree.line}` }] : [];
};

const OWN_MACHINE = 'self-hosted';
/** Labels say something only of machines of one's own: every hosted runner has an image of GitHub's. */
const labelsIn = ({ tree }: Job): string[] => {
  const on = childTree(tree, 'runs-on');
  const list = on?.entries.has('labels') ? childTree(on, 'labels') : on;
  const all = [list?.text ?? '', ...(list?.items ?? []).map(({ text }) => text ?? '')].map((one) =>
    one.toLowerCase(),
  );
  return all.includes(OWN_MACHINE)
    ? all.filter((one) => one !== OWN_MACHINE && MachineLabel.safeParse(one).success)
    : [];
};

/** Absent where nothing is asked for. */
export const findBoxWish = (
  { checks, tools }: Pick<Contract, 'checks' | 'tools'>,
  paths: readonly string[],
  read: Read,
): BoxWish | undefined => {
  const jobsOf = readJobsFrom(read);
  const jobs = [...new Set(checks.flatMap(({ source }) => jobAt(source, jobsOf) ?? []))];
  const images = [
    ...ofDevcontainer(paths, read),
    ...jobs.flatMap(containerIn),
    ...ofTools(
      tools,
      checks.flatMap(({ ciVersions = [] }) => ciVersions),
    ),
  ];
  const services = new Map(jobs.flatMap(servicesIn).map((one) => [one.name, one]));
  const labels = [...new Set(jobs.flatMap(labelsIn))].slice(0, 20);
  const wish: BoxWish = {
    images: [...new Map(images.map((one) => [one.image, one])).values()].slice(0, 20),
    services: [...services.values()].slice(0, MOST_SERVICES),
    ...(labels.length > 0 ? { labels } : {}),
  };
  return wish.images.length + wish.services.length + labels.length === 0 ? undefined : wish;
};
