/** Finds out why an installer failed (E15). Quotes the first real error, not the last line. */
import type { CommandFailure } from '#model/environment';
import { cutText } from '#model/values';
import { findToolError } from '#tools/output';
import { findRegistryFailure } from './registry-failures.ts';
import { toPlainLines } from '../process/plain-text.ts';

const MAX_ERROR_LINE_LENGTH = 400;
const MAX_INSTALLER_OUTPUT_LENGTH = 2_000_000;

type Row = { kind: CommandFailure['kind']; says: RegExp };

const NO_ROOM: Row = {
  kind: 'no_room',
  says: /^.*(?:No space left on device|ENOSPC\b|Disk quota exceeded).*$/m,
};
const NO_NETWORK: readonly Row[] = [
  {
    kind: 'no_network',
    says: /^.*(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|DNSResolveFailed|FailedToOpenSocket|ConnectionRefused|UNABLE_TO_GET_ISSUER|SELF_SIGNED_CERT|CERT_HAS_EXPIRED).*$/m,
  },
  {
    kind: 'no_network',
    says: /^.*(?:Retrying \(Retry\(total=0|Temporary failure in name resolution|Name or service not known|Could not resolve host|[Cc]ould not resolve address|Network is unreachable|Connection refused|[Cc]onnection timed out|Connection reset by peer|Failed to establish a new connection|dial tcp|no such host|i\/o timeout|TLS handshake timeout|nodename nor servname|UnknownHostException|Unknown host|Could not transfer artifact|[Ss]purious network error|failed to (?:download from|fetch) `?https?:|error sending request for url|[Cc]ertificate verify failed|CERTIFICATE_VERIFY_FAILED|Could not reach host|tunneling socket could not be established|Proxy Authentication Required|dns error|curl error \d+).*$/m,
  },
];

type Sure = { kind: CommandFailure['kind']; program: string | null; line: string };
const firstRow = (text: string, rows: readonly Row[]): Sure | null => {
  for (const { kind, says } of rows) {
    const line = says.exec(text)?.[0];
    if (line !== undefined) return { kind, program: null, line };
  }
  return null;
};
const sureFailure = (text: string): Sure | null =>
  firstRow(text, [NO_ROOM]) ??
  findToolError(text, ['stale_lockfile', 'no_program', 'wrong_version']) ??
  firstRow(text, NO_NETWORK) ??
  findToolError(text, ['no_package']);

const NPM =
  /^npm (?:error|ERR!) (?!code |A complete log|Log files|errno |syscall |path |command |network (?:This|In most|'proxy')|node-gyp |gyp info|$)\S.*$/m;
/** The innermost cause, if causes are drawn as a tree (pnpm, uv, deno). */
const INNERMOST = /^ *╰─▶ .*(?:\n {3,}\S.*){0,3}/m;
/** The start of each tool's real error, best first; `after` is never the reason. */
const FIRST_ERROR_PATTERNS: readonly RegExp[] = [
  INNERMOST,
  /^ ?ERR_PNPM_\w+ .*$/m,
  NPM,
  /^(?:➤ )?YN0{0,3}(?!0000|0013|0002|0060|0086|0085|0007|0008|0019)\d{4}: .*$/m,
  /^error:? (?!Command failed|subprocess-exited|metadata-generation|An unexpected)\S.*$/im,
  /^ERROR:? (?!subprocess|metadata)\S.*$/m,
  /^\[ERROR\] (?!COMPILATION ERROR|Re-run|To see|For more|After correcting|-> \[Help|\[Help|$)\S.*$/m,
  /^\* What went wrong:\n.*(?:\n[^*\n]\S.*)?$/m,
  /^go: (?!downloading|finding|found|extracting)\S.*$/m,
  /^ *\w[\w.]*(?:Error|Exception|NotFound)\b: .*$/m,
  /^(?:make|gmake)(?:\[\d+\])?: \*\*\* .*$/m,
  /^.*\b(?:fatal|[Ee]rror|ERROR)\b.*$/m,
  /^.*(?:[Cc]annot|[Cc]ould not|[Ff]ailed|not found).*$/m,
];

/** pip warns of the last failed connection, and quotes what broke it. */
const PIP_RETRY = /^WARNING: Retrying \(Retry\([^()]{0,200}\)\) after connection broken by /;
const normaliseErrorLine = (line: string): string =>
  cutText(line.replaceAll(/\s+/g, ' ').trim().replace(PIP_RETRY, ''), MAX_ERROR_LINE_LENGTH);
const findFirstMatch = (text: string, patterns: readonly RegExp[]): string | null => {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined && found.trim() !== '') return normaliseErrorLine(found);
  }
  return null;
};

const MISSING: readonly RegExp[] = [
  /^(?:\S*sh|\/\S*\/sh|bash): (?:line )?\d*:? ?([\w.+-]+): (?:command )?not found$/m,
  /^\/usr\/bin\/env: ['‘]([\w.+-]+)['’]: No such file or directory$/m,
  /^(?:make(?:\[\d+\])?: |.*: line \d+: )([\w.+-]+): (?:command not found|No such file or directory)$/m,
  /^(?:error|Error): spawn ([\w.+-]+) ENOENT$/im,
];
const findAbsentProgram = (text: string): { program: string; says: string } | null => {
  for (const pattern of MISSING) {
    const found = pattern.exec(text);
    if (found?.[1] !== undefined) return { program: found[1], says: normaliseErrorLine(found[0]) };
  }
  return null;
};

/** Warnings are not reasons, except for the last failed connection attempt. */
const WARNING =
  /^(?: *WARN\b|npm (?:warn|WARN)\b|warning\b|[ \t]*WARNING: (?!Retrying \(Retry\(total=0)|DEPRECATION: ).*$/gm;

/** `known` tells which programs the machine has or lacks, other than those the project installs. */
export const classifyCommandFailure = (
  output: { stdout: string; stderr: string },
  known: (program: string) => boolean,
): CommandFailure => {
  const [err, out] = [output.stderr, output.stdout].map((text) =>
    toPlainLines(text.slice(0, MAX_INSTALLER_OUTPUT_LENGTH)).join('\n').replaceAll(WARNING, ''),
  );
  const text = `${err}\n${out}`;
  const lacks = findAbsentProgram(text);
  if (lacks && known(lacks.program)) return { kind: 'no_program', ...lacks };
  const registry = findRegistryFailure(text);
  if (registry) {
    const { line, host, status, kind } = registry;
    const words = /^npm (?:error|ERR!) code /.test(line) ? findFirstMatch(text, [NPM]) : null;
    return {
      kind,
      program: null,
      says: words ?? normaliseErrorLine(line),
      ...(host === undefined ? {} : { host }),
      ...(status === undefined ? {} : { status }),
    };
  }
  const sure = sureFailure(text);
  if (sure) {
    const line = normaliseErrorLine(sure.line);
    const words = /^(?:npm (?:error|ERR!) code |× )/.test(line)
      ? findFirstMatch(text, [NPM, INNERMOST])
      : line;
    return { kind: sure.kind, program: sure.program, says: words ?? line };
  }
  return {
    kind: 'fails',
    program: null,
    says: lacks?.says ?? findFirstMatch(text, FIRST_ERROR_PATTERNS) ?? lastOf(text),
  };
};

const lastOf = (text: string): string => normaliseErrorLine(text.trimEnd().split('\n').at(-1) ?? '');
