/** Brings the program that leads out of a box to another machine, as an image with the Node that runs us. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MINUTE } from '#model/values';
import { makeTemporaryDirectory, toPathVariable, spawnProcess } from '#process';
import {
  runContainerEngine,
  firstOutputLines,
  type ContainerEngine,
} from '../containers/container-engine.ts';
import { readLibraries } from '../containers/image-node.ts';

const source = fileURLToPath(import.meta.resolve('#programs/host-door'));
/** The extension marks it as a module, because it has no package.json. */
export const DOOR_PROGRAM = `/door.m${path.extname(source).slice(1)}`;
/** Besides Node: what reads the tables of ports, and what measures the folders and the disk of a box. */
const TOOLS = ['cat', 'du', 'df'];
const DOOR_IMAGE = 'agentpr-door';
const IMPORT_MS = 10 * MINUTE;

const IMPORT = String.raw`
folder=$1 engine=$2; shift 2
{ tar -C "$folder" -chf - . || : >"$folder/failed"; } | "$engine" import "$@" && [ ! -e "$folder/failed" ]`;

const findTool = (name: string): string | null => {
  for (const folder of toPathVariable().split(':'))
    try {
      return realpathSync(path.join(folder, name));
    } catch {
      continue;
    }
  return null;
};

/** Each under its own path, as the loader finds it. */
const linkInto = (folder: string, at: string, to: string): void => {
  const place = path.join(folder, at);
  mkdirSync(path.dirname(place), { recursive: true });
  try {
    symlinkSync(to, place);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
};

/** Images that a box uses stay; others come again when they are needed. */
export const removeEgressImages = async (engine: ContainerEngine): Promise<void> => {
  const listed = await runContainerEngine(engine, [
    ...['image', 'ls', '--quiet', '--filter', `reference=${DOOR_IMAGE}`],
  ]);
  const ids = listed.stdout.split('\n').filter(Boolean);
  if (ids.length > 0) await runContainerEngine(engine, ['rmi', ...ids]);
};

/** Null is a sentence's worth: why this machine's Node cannot run there. */
export const ensureEgressImage = async (
  engine: ContainerEngine,
  signal: AbortSignal,
): Promise<{ image: string } | { says: string }> => {
  const { host, arch } = engine;
  if (arch !== process.arch)
    return {
      says: `The box host ${host} has another processor (${arch}) than this machine (${process.arch}), so that boxes there have no way out. Set network.installs and network.checks to none.`,
    };
  const programs: [name: string, file: string][] = [['node', realpathSync(process.execPath)]];
  for (const name of TOOLS) {
    const file = findTool(name);
    if (file !== null) programs.push([name, file]);
  }
  const libraries = new Map<string, string>();
  for (const [, file] of programs) {
    const found = await readLibraries(file);
    if (found === null) return { says: 'The Node of this machine cannot be brought to a box host.' };
    for (const one of [found.loader, ...found.libraries]) libraries.set(one, realpathSync(one));
  }
  const text = JSON.stringify([
    process.versions.node,
    arch,
    TOOLS,
    readFileSync(source, 'utf8'),
    [...libraries],
  ]);
  const image = `${DOOR_IMAGE}:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  if ((await runContainerEngine(engine, ['image', 'inspect', image])).exitCode === 0) return { image };
  const folder = makeTemporaryDirectory('agentpr-door-');
  try {
    for (const [name, file] of programs) linkInto(folder, `bin/${name}`, file);
    for (const [at, file] of libraries) linkInto(folder, at, file);
    linkInto(folder, DOOR_PROGRAM, source);
    for (const mountPoint of ['box', 'tmp', 'proc', 'sys', 'dev', 'etc'])
      mkdirSync(path.join(folder, mountPoint), { recursive: true });
    const end = await spawnProcess({
      argv: ['sh', '-c', IMPORT, 'sh', folder, engine.file, '--change', 'ENV PATH=/bin', '-', image],
      cwd: '/',
      env: { ...engine.env },
      timeoutMs: IMPORT_MS,
      maxOutputBytes: 65_536,
      signal,
    });
    return end.exitCode === 0
      ? { image }
      : { says: `The way out of boxes cannot be brought to ${host}: ${firstOutputLines(end)}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
