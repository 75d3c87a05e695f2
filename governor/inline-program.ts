/** Describes inline programs (`python3 -c …`, here-documents) to the user. It allows nothing. */
import type { INLINE_ACTS } from '#model/assessment';
import { visibleCommand } from '#text-safety';

type InlineAct = (typeof INLINE_ACTS)[number];
type Act = { act: InlineAct; words: string };
type Acts = Partial<Record<InlineAct, RegExp>>;

const callPattern = (names: string): RegExp => new RegExp(`(?<![\\w$])(?:${names})[^\\n;]{0,60}`);

const PYTHON: Acts = {
  network: callPattern(
    '(?:urllib|http\\.client|requests|httpx|aiohttp|ftplib|smtplib|socket|paramiko)\\.\\w+|urlopen|urlretrieve',
  ),
  runs_programs: callPattern(
    'subprocess\\.\\w+|os\\.(?:system|popen|exec\\w*|spawn\\w*|fork)|pty\\.spawn|Popen',
  ),
  evaluates: callPattern(
    'eval\\(|exec\\(|compile\\(|__import__\\(|importlib\\.\\w+|pickle\\.loads?|marshal\\.loads?',
  ),
  deletes: callPattern(
    'shutil\\.rmtree|os\\.(?:remove|unlink|rmdir|removedirs)|\\w+\\.unlink\\(|\\w+\\.rmdir\\(',
  ),
  writes: callPattern(
    'open\\([^)\\n]{0,60}[\'"][rb]{0,2}[wax+]|(?:[\\w.)(\'"/-]{1,40}\\.)?write_(?:text|bytes)\\(|shutil\\.(?:copy\\w*|move)|os\\.(?:rename|replace|chmod|makedirs|mkdir|symlink)',
  ),
  reads_environment: callPattern('os\\.(?:environ|getenv)'),
};
const NODE: Acts = {
  network: callPattern(
    'fetch\\(|https?\\.(?:get|request)|net\\.(?:connect|createConnection)|new WebSocket|XMLHttpRequest|axios\\b|require\\([\'"](?:node:)?(?:https?|net|tls|dgram|undici|axios)',
  ),
  runs_programs: callPattern(
    '(?:child_process|cp)\\.\\w+|(?:exec|spawn|fork|execFile)(?:Sync)?\\(|require\\([\'"](?:node:)?child_process|Bun\\.spawn|Deno\\.(?:run|Command)',
  ),
  evaluates: callPattern('eval\\(|new Function\\(|vm\\.\\w+|import\\('),
  deletes: callPattern('(?:fs\\.)?(?:promises\\.)?(?:rm|rmdir|unlink)(?:Sync)?\\('),
  writes: callPattern(
    '(?:[\\w.)(\'"]{1,40}\\.)?(?:writeFile|appendFile|createWriteStream|copyFile|rename|mkdir|symlink|chmod)(?:Sync)?\\(|Deno\\.write\\w*|Bun\\.write',
  ),
  reads_environment: callPattern('process\\.env|Deno\\.env'),
};
const PERL: Acts = {
  network: callPattern('LWP::\\w+|IO::Socket\\w*|Net::\\w+|HTTP::\\w+|socket\\('),
  runs_programs: callPattern('system[\\s(]|exec[\\s(]|qx[\\W]|`|fork\\b'),
  evaluates: callPattern('eval[\\s({]|do\\s+[\'"]'),
  deletes: callPattern('unlink[\\s(]|rmdir[\\s(]|rmtree'),
  writes: callPattern('open[^;\\n]{0,40}[\'"]\\+?>|rename[\\s(]|mkdir[\\s(]|chmod[\\s(]'),
  reads_environment: callPattern('[%$]ENV'),
};
const RUBY: Acts = {
  network: callPattern('Net::\\w+|URI\\.open|OpenURI|TCPSocket|Socket\\.\\w+|Faraday|HTTParty'),
  runs_programs: callPattern('system[\\s(]|exec[\\s(]|spawn[\\s(]|`|%x|IO\\.popen|Open3'),
  evaluates: callPattern('(?:instance_|class_|module_)?eval[\\s(]|Marshal\\.load|load[\\s(]'),
  deletes: callPattern('FileUtils\\.rm\\w*|File\\.(?:delete|unlink)|Dir\\.(?:rmdir|delete)'),
  writes: callPattern(
    'File\\.(?:write|rename|chmod|symlink)|IO\\.write|File\\.open\\([^)\\n]{0,60},\\s*[\'"][wa]|FileUtils\\.\\w+',
  ),
  reads_environment: callPattern('ENV\\b'),
};
const PHP: Acts = {
  network: callPattern('curl_\\w+|fsockopen|stream_socket_client|file_get_contents\\(\\s*[\'"]https?:'),
  runs_programs: callPattern('shell_exec|passthru|proc_open|popen|system\\(|exec\\(|`'),
  evaluates: callPattern('eval\\(|assert\\(|create_function|unserialize|include|require'),
  deletes: callPattern('unlink\\(|rmdir\\('),
  writes: callPattern('file_put_contents|fopen\\([^)\\n]{0,60}[\'"][waxc]|rename\\(|mkdir\\(|chmod\\('),
  reads_environment: callPattern('getenv|\\$_ENV|\\$_SERVER'),
};

const LANGUAGES: readonly [program: RegExp, option: RegExp, acts: Acts][] = [
  [/^(?:python|pypy)[\d.]*$/, /^-[a-zA-Z]*c$/, PYTHON],
  [/^(?:node|nodejs|bun|deno|tsx|ts-node)$/, /^(?:-[a-z]*[ep]|--eval|--print|eval)$/, NODE],
  [/^perl[\d.]*$/, /^-[a-zA-Z]*[eE]$/, PERL],
  [/^j?ruby[\d.]*$/, /^-[a-z]*e$/, RUBY],
  [/^php[\d.]*$/, /^(?:-r|--run)$/, PHP],
];

/** A later option belongs to the program itself. */
const MAX_OPTIONS = 6;

/** Longer programs are not shown (characters). */
const MAX_READ = 4_000;

const actsIn = (source: string, acts: Acts): Act[] =>
  Object.entries(acts).flatMap(([act, pattern]): Act[] => {
    const found = [...source.slice(0, MAX_READ).matchAll(new RegExp(pattern, 'g'))].map(([words]) => words);
    const telling = found.find((words) => words.includes('(')) ?? found[0];
    return telling === undefined
      ? []
      : [{ act: act as InlineAct, words: visibleCommand(telling.trim()).slice(0, 80) }];
  });

export const inlineProgram = (
  program: string,
  args: readonly string[],
): { program: string; acts: Act[] } | null => {
  for (const [name, option, acts] of LANGUAGES) {
    if (!name.test(program)) continue;
    const at = args.findIndex((word) => option.test(word));
    if (at < 0 || at >= MAX_OPTIONS) return null;
    return { program: `${program} ${args[at] ?? ''}`, acts: actsIn(args.slice(at + 1).join(' '), acts) };
  }
  return null;
};

const DOCUMENT = /<<-?[ \t]*(["']?)(\w{1,40})\1[^\n]*\n/y;

/** Program in a here-document (`python3 - <<'EOF'`); null when no known program runs it. */
export const documentProgram = (command: string, at: number): { program: string; acts: Act[] } | null => {
  DOCUMENT.lastIndex = at;
  const found = DOCUMENT.exec(command);
  if (!found) return null;
  const [head, , word = ''] = found;
  const body = command.slice(at + head.length - 1);
  const end = body.search(new RegExp(`\\n[ \\t]*${word}[ \\t]*(?:\\n|$)`));
  const source = end < 0 ? body : body.slice(0, end);
  const before =
    command
      .slice(0, at)
      .split(/[\n;|&]/)
      .at(-1) ?? '';
  const programs = before
    .trim()
    .split(/\s+/)
    .map((one) => one.slice(one.lastIndexOf('/') + 1));
  for (const [name, , acts] of LANGUAGES) {
    const program = programs.find((one) => name.test(one));
    if (program !== undefined) return { program: `${program} <<${word}`, acts: actsIn(source, acts) };
  }
  return null;
};
