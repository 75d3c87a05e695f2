/** Decides by evidence whether a check that is red on the base tells of our machine instead (E19). */
import { z } from 'zod';
import type { CommandFailure } from './command-failure.ts';
import { findMissingProgram } from './missing-programs.ts';
import { satisfiesVersion, rangeText } from './tool-versions.ts';

/** What CI gives a check, and what this machine may lack. */
const CHECK_NEEDS = ['history', 'submodules', 'lfs', 'services', 'secrets', 'system'] as const;
export const CheckNeed = z.object({ kind: z.enum(CHECK_NEEDS), names: z.array(z.string()) });
export type CheckNeed = z.infer<typeof CheckNeed>;

const CI_ONLY_NEEDS: readonly CheckNeed['kind'][] = ['services', 'secrets', 'system'];
/** Needs that this machine cannot meet: without them a check only shows that they are missing. */
export const unmeetableNeeds = (needs: readonly CheckNeed[] = []): CheckNeed[] =>
  needs.filter(({ kind }) => CI_ONLY_NEEDS.includes(kind));

/** Versions of a tool that CI runs a check with; no newest where it takes whatever is newest. */
export const CiVersions = z.object({ name: z.string(), oldest: z.string(), newest: z.string().nullable() });
export type CiVersions = z.infer<typeof CiVersions>;

const LACKED_THINGS = [
  'network',
  'service',
  'docker',
  'browser',
  'display',
  'system_library',
  'memory',
  'package',
  'permission',
  'older_node',
  'older_python',
  'free_port',
  'writable_folder',
  'open_files',
  'git_identity',
  'time_zone',
  'terminal',
  'ordinary_user',
  'interpreter',
  'variable',
] as const;
export type LackedThing = (typeof LACKED_THINGS)[number];

export const EnvironmentGap = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('needs'), needs: z.array(CheckNeed) }),
  z.object({
    kind: z.literal('tool_version'),
    name: z.string(),
    asked: z.string(),
    version: z.string().nullable(),
  }),
  CiVersions.extend({ kind: z.literal('ci_version'), version: z.string() }),
  z.object({ kind: z.literal('time_limit') }),
  z.object({ kind: z.literal('lacks'), what: z.enum(LACKED_THINGS) }),
  z.object({ kind: z.literal('no_program'), program: z.string() }),
  z.object({ kind: z.literal('install_fails'), command: z.string() }),
  /** The code host's checks of this very commit are green. */
  z.object({ kind: z.literal('ci_green') }),
]);
export type EnvironmentGap = z.infer<typeof EnvironmentGap>;

const LACKS: readonly (readonly [LackedThing, RegExp])[] = [
  [
    'memory',
    /\b(?:heap out of memory|Cannot allocate memory|OutOfMemoryError|out of memory|ENOMEM)\b|\bKilled$/m,
  ],
  ['docker', /Cannot connect to the Docker daemon|docker\.sock\b|Could not find a valid Docker environment/i],
  [
    'browser',
    /Executable doesn't exist at|Failed to launch (?:the |local )?browser|Running as root without --no-sandbox|Could not find (?:Chrome|Chromium|browser)|No usable (?:sandbox|browser)|cannot find Chrome binary|chromedriver.{0,40}not found|geckodriver.{0,40}not found/i,
  ],
  [
    'display',
    /(?:cannot|could not|can't|unable to) (?:open|connect to) (?:X )?display|no (?:\$?DISPLAY|display name)|Missing X server/i,
  ],
  [
    'service',
    /(?:ECONNREFUSED|[Cc]onnection refused)[^\n]{0,160}?[:\s](?:5432|3306|6379|27017|9200|5672|9092|11211|1433|2379|8123|4222)\b|(?:5432|3306|6379|27017|9200|5672|9092|11211|1433|2379|8123|4222)\b[^\n]{0,80}(?:ECONNREFUSED|[Cc]onnection refused)/,
  ],
  [
    'network',
    /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|UnknownHostException)\b|getaddrinfo|[Tt]emporary failure in name resolution|Could not resolve host|Name or service not known|Network is unreachable|no such host|dial tcp: lookup|nodename nor servname|tunneling socket could not be established|Tunnel connection failed|ProxyError\b|\bENETDOWN\b|\bconnect: network is unreachable/,
  ],
  [
    'system_library',
    /error while loading shared libraries|cannot open shared object file|fatal error: [\w./+-]+\.h: No such file|No package '[^']+' found|pkg-config[^\n]{0,60}not found|ld: cannot find -l|Unable to locate package|libGL\.so|locale\.Error: unsupported locale/,
  ],
  [
    'older_node',
    /primordials is not defined|util\.(?:is[A-Z]\w+|_extend) is not a function|digital envelope routines::unsupported|Cannot use import statement outside a module\s(?:[^\n]*\n){0,4}[^\n]*\/v8-compile-cache\//,
  ],
  [
    'older_python',
    /cannot import name '\w+' from 'collections'|module 'collections' has no attribute '(?:Mapping|MutableMapping|Callable|Iterable|Sequence)'|module 'inspect' has no attribute 'getargspec'|No module named '(?:imp|distutils|asyncore|asynchat|smtpd|cgi|pipes|telnetlib|imghdr)'/,
  ],
  ['free_port', /\blisten EADDRINUSE\b|\[Errno 98\]|\bbind: address already in use\b/],
  ['writable_folder', /\bEROFS\b|\bRead-only file system\b/],
  ['open_files', /\bEMFILE\b|\b[Tt]oo many open files\b|ENOSPC: System limit for number of file watchers/],
  ['git_identity', /\bAuthor identity unknown\b|\*\*\* Please tell me who you are\.|fatal: empty ident name/],
  ['time_zone', /\bZoneInfoNotFoundError\b|\bunknown time zone \w+\//],
  ['terminal', /\bInappropriate ioctl for device\b|\bsetRawMode is not a function\b/],
  [
    'ordinary_user',
    /\b(?:must|should|can)(?:not| not) be run as (?:the )?root\b|getpwuid\(\): uid not found/,
  ],
  [
    'interpreter',
    /\bInterpreterNotFound\b|\bPython interpreter \S+ not found\b|\bcould not find python interpreter matching\b/,
  ],
  [
    'variable',
    /^\S{0,120}: (?:line \d{1,6}: )?[A-Za-z_]\w{0,60}: (?:unbound variable|parameter (?:null or )?not set)$|^KeyError: '[A-Z][A-Z0-9_]{2,60}'$|\b(?:[Ee]nvironment variable|env var) [`'"]?[A-Z][A-Z0-9_]{2,60}[`'"]? (?:is |was |must be |has to be )?(?:not (?:set|defined|found)|missing|required|unset|set\b)|^[gb]?make(?:\[\d{1,3}\])?: \*\*\* .{0,40}\b[A-Z][A-Z0-9_]{2,60} (?:is )?(?:not (?:set|defined)|undefined|required)\b/m,
  ],
  [
    'package',
    /^Can't locate \S+ in @INC \(you may need to install the \S+ module\)|^(?:ModuleNotFoundError|\S{0,200}\bpython[\d.]{0,6}): No module named |^Error: Cannot find (?:module|package) '(?!\.)|\bthere is no package called [‘']|\bcannot load such file -- (?![./])|^\S{0,60}: module '[\w.]{1,60}' not found:$/m,
  ],
  ['permission', /\b(?:Operation not permitted|must be run as root|requires root)\b/],
];

const findLackedThing = (output: string): LackedThing | null =>
  LACKS.find(([, says]) => says.test(output))?.[0] ?? null;

type RedOnBase = { outcome: string; tail: string; commandFailure?: CommandFailure };
type UsedTool = { name: string; asked: string | null; version: string | null; fits: boolean | null };

const versionUnlikeCi = (tools: readonly UsedTool[], all: readonly CiVersions[]): EnvironmentGap | null => {
  for (const { name, oldest, newest } of all) {
    const version = tools.find((tool) => tool.name === name)?.version ?? null;
    // guard: E19-version-unlike-ci
    if (version !== null && satisfiesVersion(name, rangeText({ oldest, newest }), version) === false)
      return { kind: 'ci_version', name, oldest, newest, version };
  }
  return null;
};

type Surroundings = {
  tools: readonly UsedTool[];
  ciVersions: readonly CiVersions[];
  needs: readonly CheckNeed[];
  ciGreen: boolean;
};

/** Null when nothing speaks against the base itself. */
export const findEnvironmentGap = (
  red: RedOnBase,
  { tools, ciVersions, needs, ciGreen }: Surroundings,
): EnvironmentGap | null => {
  if (needs.length > 0) return { kind: 'needs', needs: [...needs] };
  const lacks = findLackedThing(red.tail);
  // A cause that the output names is more certain than a version that differs.
  // guard: E19-lack-before-version
  if (lacks !== null && lacks !== 'package') return { kind: 'lacks', what: lacks };
  const program = findMissingProgram(red.tail);
  // guard: E19-missing-program
  if (program !== null) return { kind: 'no_program', program };
  if (lacks !== null) return { kind: 'lacks', what: lacks };
  const unlikeCi = versionUnlikeCi(tools, ciVersions);
  if (unlikeCi !== null) return unlikeCi;
  const tool = tools.find(({ fits, asked }) => fits === false && asked !== null);
  if (tool) return { kind: 'tool_version', name: tool.name, asked: tool.asked ?? '', version: tool.version };
  if (red.outcome === 'timed_out') return { kind: 'time_limit' };
  if (red.commandFailure && red.commandFailure.kind !== 'fails') return { kind: 'lacks', what: 'package' };
  return ciGreen ? { kind: 'ci_green' } : null;
};
