/** O10: every reader of outsiders' bytes, called as in the product. Add new readers here. */
import { toVisibleText } from '../../../text-safety/visible-text.ts';
import { branchNameByRule, slugifyTitle, workType } from '#model/pull';
import { fillVariables, createUnquotableValueFinder, findUnknownVariables } from '#model/settings';
import { findIssueReferences, withoutUnmeantClosing } from '#model/requirements';
import { hasMoreJsonValues, KB, MB } from '#model/values';
import { satisfiesVersion } from '#model/environment';
import { parsePatchedFiles } from '../../../orchestrator/clusters/compare-changes.ts';
import { quoteIssue, cleanIssueTitle } from '../../../orchestrator/campaigns/labelled-issues.io.ts';
import { parseNamedFiles, refineContract } from '../../../discovery/refine-contract.ts';
import { findFileLinters } from '../../../discovery/file-linters.ts';
import { readComplaints } from '../../../discovery/lint-complaints.ts';
import { parsePackageScripts } from '../../../discovery/probes/node.ts';
import { readContract, readContributionRequirements } from '../../../discovery/read-repository.ts';
import { findDenouncement, isOnContributorList } from '../../../discovery/contribution-rules.ts';
import { classifyCommand } from '../../../governor/classify-command.ts';
import { commandGroupOf } from '../../../governor/command-group.ts';
import { readCheckConfig } from '../../../governor/check-config/read-check-config.ts';
import { findCheckConfig } from '../../../governor/check-config/check-config-files.ts';
import { redactSecrets } from '#text-safety';
import {
  findHiddenCharacterKind,
  showInvisible,
  visibleName,
  withoutUnseen,
} from '../../../text-safety/invisible-characters.ts';
import { listUnusualCharacters } from '../../../text-safety/lookalikes.ts';
import {
  neutraliseDescription,
  neutralisePlainText,
  neutraliseText,
  findTextSignals,
} from '../../../text-safety/neutralise-text.ts';
import { readReceipt } from '../../../pull-text/receipt.ts';
import { verifyProof } from '../../../orchestrator/receipts/checkpoint.ts';
import { readReceiptEnvelope } from '../../../orchestrator/receipts/decision-statement.ts';
import { fillTemplate as fillTemplate } from '../../../pull-text/fill-template.ts';
import { readCampaignOrder } from '../../../orchestrator/orders/campaign-argument.ts';
import { readList } from '../../../orchestrator/orders/repository-list.ts';
import { isCampaignFile, readCampaignFile } from '../../../orchestrator/orders/campaign-file.ts';
import { parseSentCampaign } from '../../../orchestrator/orders/sent-campaign-file.ts';
import { parsePullList } from '../../../orchestrator/orders/pull-list.ts';
import { distillLog } from '../../../executors/checks/distill-output.ts';
import { readLog } from '../../../executors/checks/readable-log.ts';
import { readVerdict } from '../../../executors/checks/read-verdict.ts';
import { applyAcpEvent } from '../../../executors/engines/acp/events.ts';
import { createTextLineSplitter, applyAiderEvent } from '../../../executors/engines/aider/read-output.ts';
import { applyPatch, parseModelPatch } from '../../../executors/engines/builtin/edits/apply-patch.ts';
import { createFileText } from '../../../executors/engines/builtin/edits/file-text.ts';
import { applyClaudeEvent } from '../../../executors/engines/claude/events.ts';
import { applyCodexEvent } from '../../../executors/engines/codex/events.ts';
import { applyOpencodeEvent } from '../../../executors/engines/opencode/events.ts';
import { createJsonLineSplitter } from '../../../executors/engines/shared/line-splitter.ts';
import { createRoundReading, type RoundReading } from '../../../executors/engines/shared/round-reading.ts';
import { readAgentReport } from '../../../executors/engines/shared/agent-report.ts';
import { createCredentialEchoFilter } from '../../../executors/gateway/credential-echo-filter.ts';
import { createAnswerReader as createAnswerReader } from '../../../executors/gateway/answer-reader.ts';
import { readPriceList } from '../../../executors/gateway/listed-prices.ts';
import { readModelRequest } from '../../../executors/gateway/read-model-request.ts';
import { matchAttributeFilters } from '../../../executors/git/attribute-filters.ts';
import {
  buildCallGraph,
  identifiersIn,
  outlinesByPath,
  refineRanking,
} from '../../../executors/outline/rank-outlines.ts';
import { findNewFaults } from '../../../executors/outline/outline-types.ts';
import { rankFiles } from '../../../executors/outline/rank-files.ts';
import { renderMap } from '../../../executors/outline/map-repository.ts';
import { findSyntaxFaults, loadGrammars, outlineSource } from '../../../executors/outline/syntax-parser.ts';
import { countFileWords } from '../../../executors/outline/word-index.ts';
import { cleanGitOutput } from '../../../executors/git/git-failure.ts';
import { remoteLines } from '../../../executors/git/git-refusals.ts';
import { toPlainLines } from '../../../executors/process/plain-text.ts';
import { createExposedSecrets } from '../../../executors/sandbox/exposed-secrets.ts';
import {
  findDependencyChanges,
  isOwnVersionChange,
} from '../../../executors/git/workspace/changed-dependencies.ts';
import { contentFindings } from '../../../executors/git/workspace/content-findings.ts';
import { readPhrase } from '../../../bot/phrases/read-phrase.ts';
import { phrasesFor } from '../../../bot/language/languages.ts';
import { paginatePatch, readPatchBook, toReadablePatch } from '#chat-text';
import { topHunks } from '../../../bot/text/first-hunks.ts';
import { escapeProse } from '../../../bot/text/telegram-html.ts';
import { parseCommand } from '../../../bot/commands/parse-command.ts';
import { cleanPicture } from '../../../bot/text/clean-picture.ts';
import { jpegOf, pngOf, webpFrame, webpOf } from '../sent-pictures.ts';
import { measureOpusSeconds } from '../../../bot/voice/opus-duration.ts';
import { readTranscript } from '../../../bot/voice/transcribe-by-http.ts';
import { cleanTranscript } from '../../../bot/voice/voice-notes.ts';
import { createRecording } from '../../../playground/telegram/recording.ts';
import { renderBlocks } from '../../../slack/blocks.ts';
import { readEnvelope } from '../../../slack/read-envelope.ts';
import { readDelivery } from '../../../webhooks/read-delivery.ts';
import { findRepositoryNames } from '../../../webhooks/repository-names.ts';

/** `most` limits the text (characters); `away` readers run in a thread or a sandbox. */
export type Parser = { read: (text: string) => unknown; most?: number; away?: true };

/** Larger repository files are reported as unread (bytes). */
const FILE = 256 * KB;
const repositoryFile = (path: string): Parser => ({
  away: true,
  most: FILE,
  read: (text) =>
    readContract(
      {
        paths: [path, 'src/a.ts', 'tests/a.test.ts'],
        files: new Map([[path, text]]),
        owner: null,
        images: true,
      },
      () => {},
    ),
});
export const PARSED_FILES = [
  ...['.github/workflows/ci.yml', '.agentpr.json', 'package.json', 'deno.jsonc', 'pyproject.toml', 'tox.ini'],
  ...['Makefile', 'Taskfile.yml', 'Cargo.toml', 'go.mod', 'pom.xml', 'composer.json', 'mise.toml'],
  ...['.pre-commit-config.yaml', '.gitattributes', 'README.md', 'CONTRIBUTING.md', 'VOUCHED.td'],
  ...['.github/PULL_REQUEST_TEMPLATE.md', '.devcontainer.json'],
];

const judges = (path: string, command: string): Parser => ({
  away: true,
  most: FILE,
  read: (text) =>
    findCheckConfig({
      commands: [{ command, dir: '' }],
      changed: [path],
      paths: [path, 'src/a.ts'],
      texts: new Map([[path, ['', text]]]),
    }),
});

/** One grammar of each kind: with regular expressions, by indentation, with heredocs. */
const SOURCES = ['a.ts', 'a.py', 'a.rb'];
/** A parse of odd shapes takes most of its second: longer ones would say the same (characters). */
const MOST_SOURCE = 16_000;
await loadGrammars(SOURCES);
const source = (path: string): Parser => ({
  away: true,
  most: MOST_SOURCE,
  read: (text) => {
    const faults = findSyntaxFaults(path, text) ?? [];
    return [outlineSource(path, text), findNewFaults(faults, faults)];
  },
});
const mapOf = (text: string): unknown => {
  const question = { goal: text, failing: text };
  const words = countFileWords(Buffer.from(text));
  const files = [text.slice(0, 4 * KB), 'src/a.ts', 'tests/a.test.ts'].map((path, i) => ({
    path,
    oid: `${i}`,
    words,
  }));
  const ranked = rankFiles(files, question);
  const one = { name: text.slice(0, 120), line: 1, endLine: 2, depth: 0, text: text.slice(0, 160) };
  const outline = { definitions: [one], calls: [one], imports: [text.slice(0, 200)] };
  const outlines = outlinesByPath(ranked, new Map(ranked.map(({ oid }) => [oid, outline])));
  const again = refineRanking(ranked, outlines, identifiersIn(question));
  return renderMap(again, outlines, buildCallGraph(outlines), new Set(), 6_000);
};

/** Feeds the text itself, and as an agent's or a tool's message. */
const events =
  (read: (before: RoundReading, heard: unknown) => RoundReading, says: (text: string) => object) =>
  (text: string): RoundReading => {
    let reading = createRoundReading(null);
    const lines = createJsonLineSplitter((event) => (reading = read(reading, event)));
    lines.add(Buffer.from(text));
    lines.add(Buffer.from(`\n${JSON.stringify(says(text))}\n`));
    lines.end();
    return reading;
  };

const PICTURE_STARTS = [pngOf().subarray(0, 33), jpegOf().subarray(0, -2), webpOf([webpFrame(2, 2)])];
const OPUS_START = createRecording({ says: '', seconds: 1 });
const lent = createExposedSecrets();
lent.add('KEY', ['sk-ant-api03-0123456789abcdefghijklmnop']);

/** Size of one read from a pipe. */
const CHUNK = 64 * KB;
/** Limits of a chat message and a caption (characters). */
const MESSAGE = 4_096;
/** Limits of a title, a description and a comment at the code host (characters). */
const BODY = 65_536;
const TITLE = 1_024;

const step = (key: 'run' | 'if'): Parser => ({
  away: true,
  most: FILE / 2,
  read: (text) => {
    const said = { run: 'make test', [key]: text };
    const steps = JSON.stringify([said]);
    const workflow = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: ${steps}\n`;
    return repositoryFile('.github/workflows/ci.yml').read(workflow);
  },
});

const READERS: Readonly<Record<string, Parser>> = {
  'a script of a workflow': step('run'),
  'a condition of a workflow': step('if'),
  'attributes of git': {
    away: true,
    read: (text) =>
      matchAttributeFilters({ files: [{ path: '.gitattributes', text }], paths: ['a/b.txt'] }, () => {}),
  },
  'a list of who is denounced': { read: (text) => findDenouncement(text, 'ana'), most: FILE },
  'a list of who may contribute': { read: (text) => isOnContributorList(text, 'ana'), most: FILE },
  'a script that judges': judges('ci/check.sh', 'sh ci/check.sh'),
  'a program that judges': judges('ci/check.py', 'python ci/check.py'),
  'settings that judge': judges('pytest.ini', 'pytest'),
  'a manifest that judges': judges('package.json', 'npm test'),
  'a makefile that judges': judges('Makefile', 'make a test'),
  'tasks that judge': judges('Taskfile.yml', 'task test'),
  'a range of versions': { read: (text) => satisfiesVersion('node', text, '22.1.0') },
  'what a change adds': {
    away: true,
    read: (text) =>
      contentFindings(
        { path: 'tests/a.test.ts', bytes: Buffer.from(`${text.slice(0, 1_000)}\nit('a', () => expect(1));`) },
        { path: 'tests/a.test.ts', bytes: Buffer.from(text) },
      ),
  },
  'bytes that a change adds': {
    away: true,
    read: (text) => contentFindings(null, { path: 'a.bin', bytes: Buffer.from(`\0${text}`) }),
  },
  'secrets to hide': { read: redactSecrets },
  'signs to show': { read: showInvisible },
  'hidden signs': { read: findHiddenCharacterKind },
  'signs to take away': { read: withoutUnseen },
  'a name of a file': { read: visibleName, most: 4 * KB },
  'every byte of a change': { read: toVisibleText },
  'a command': {
    read: (text) => [
      classifyCommand(text),
      commandGroupOf(text, { refused: [], asked: [] } as never),
      listUnusualCharacters(text.slice(0, 20_000)),
    ],
  },
  'words for a description': {
    read: (text) => [neutraliseDescription(text), neutraliseText(text), findTextSignals(text)],
    most: BODY,
  },
  'words for a commit': { read: neutralisePlainText, most: BODY },
  'issues that are named': {
    read: (text) => [findIssueReferences(text), withoutUnmeantClosing(text)],
    most: BODY,
  },
  'a template of pull requests': {
    read: (text) => {
      const claims = { ticks: () => false, words: () => '' };
      return fillTemplate(
        text,
        new Proxy({ claims, persons: new Map() }, { get: (own, key) => own[key as never] ?? '' }) as never,
      );
    },
    most: 10_000,
  },
  'a description of ours': { read: readReceipt, most: BODY },
  'an envelope of a receipt': {
    read: (text) => {
      const payload = Buffer.from(text).toString('base64');
      const signatures = [{ keyid: '', sig: '' }];
      return readReceiptEnvelope({ payloadType: 'application/vnd.in-toto+json', payload, signatures });
    },
    most: MB,
  },
  'a proof of the log': {
    read: (text) => {
      const log = { origin: 'agentpr/log', keys: [] };
      return ['', 'c2sp.org/tlog-proof@v1\nindex 1\n'].map((head) =>
        verifyProof(`${head}${text}`, Buffer.alloc(32), log),
      );
    },
    most: MB,
  },
  'a name of a branch': {
    read: (text) => [slugifyTitle(text, 40), workType(text), branchNameByRule('feat/<name>', text, 'r1')],
    most: BODY,
  },
  'an issue’s title': { read: cleanIssueTitle, most: TITLE },
  'an issue’s words': { read: (text) => quoteIssue('a', text), most: BODY },
  'output of a check': {
    away: true,
    read: (text) =>
      readVerdict({
        kind: 'check',
        command: 'npm test',
        end: { ended: 'exited', exitCode: 1, signal: null, ms: 1, stdout: text, stderr: '' },
        refusal: null,
      }),
  },
  'a log of CI': { read: distillLog, away: true },
  'a log for people': { read: readLog, away: true },
  'what JSON costs': { read: (text) => hasMoreJsonValues(Buffer.from(text), 1_000_000) },
  'words of a program': { read: toPlainLines },
  'what git says': { read: (text) => [cleanGitOutput(text), remoteLines(text)], most: 64 * KB },
  'events of claude': {
    read: events(applyClaudeEvent, (text) => ({ type: 'result', is_error: true, result: text })),
  },
  'events of codex': { read: events(applyCodexEvent, (message) => ({ type: 'error', message })) },
  'events of opencode': {
    read: events(applyOpencodeEvent, (text) => ({ type: 'text', part: { type: 'text', text } })),
  },
  'events of ACP': {
    read: events(applyAcpEvent, (text) => ({
      jsonrpc: '2.0',
      method: 'session/update',
      params: { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
    })),
  },
  'lines of aider': {
    most: CHUNK,
    read: (text) => {
      let reading = createRoundReading(null);
      const lines = createTextLineSplitter((event) => (reading = applyAiderEvent(reading, event)));
      lines.add(Buffer.from(text));
      lines.end();
      return reading;
    },
  },
  'a report': {
    read: (text) => [
      readAgentReport(text),
      readAgentReport({
        status: 'done',
        summary: text,
        ran: [{ command: text, passed: true }],
        what: text,
        replies: [{ to: 1, text }],
      }),
    ],
  },
  'files of a patch': { read: (text) => parseModelPatch(text), most: 256 * KB },
  'edits of a model': {
    away: true,
    read: (text) =>
      applyPatch(`a.txt\n<<<<<<< SEARCH\nb\n=======\n${text}\n>>>>>>> REPLACE\n${text}`, {
        root: '/',
        read: () => ({ kind: 'text', text: createFileText(['a', 'b', 'c']) }),
        files: () => ['a.txt'],
        seen: () => ['a.txt'],
      }),
  },
  'a patch of a model': {
    away: true,
    read: (text) =>
      applyPatch(text, {
        root: '/',
        read: () => ({ kind: 'text', text: createFileText(['a', 'b', 'c']) }),
        files: () => ['a.txt'],
        seen: () => ['a.txt'],
      }),
  },
  'a request to a model': {
    away: true,
    read: (text) => [
      readModelRequest(Buffer.from(text), { shape: 'anthropic', path: '/v1/messages', known: 0 }),
      readModelRequest(
        Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] })),
        {
          shape: 'anthropic',
          path: '/v1/messages',
          known: 0,
        },
      ),
    ],
  },
  'an answer of a model': {
    read: (text) => {
      const reader = createAnswerReader('anthropic', 'text/event-stream');
      for (let at = 0; at < text.length; at += 16 * KB) reader.add(Buffer.from(text.slice(at, at + 16 * KB)));
      return reader.end();
    },
  },
  'an answer of a model, for keys': {
    most: CHUNK,
    read: (text) => {
      const filter = createCredentialEchoFilter(lent, () => {});
      for (let at = 0; at < text.length; at += 16 * KB) filter.add(Buffer.from(text.slice(at, at + 16 * KB)));
      return filter.end();
    },
  },
  'keys that were lent': { read: (text) => [lent.namesIn(text), lent.hide(text)], most: CHUNK },
  'a delivery of the code host': {
    read: (text) => [
      findRepositoryNames(text),
      ['issue_comment', 'pull_request_review', 'push', 'check_run', 'installation'].map((event) =>
        readDelivery(event, {
          action: text,
          comment: { body: text },
          review: { body: text },
          ref: text,
          repository: { id: 1, full_name: text },
        }),
      ),
    ],
  },
  'a phrase of a chat': {
    read: (text) => readPhrase(text, phrasesFor(text, 'en'), { runs: [], replied: null }),
    most: MESSAGE,
  },
  'a command of a chat': { read: (text) => parseCommand(`/new acme/api ${text}`, null), most: MESSAGE },
  'a message of Slack': {
    read: (text) =>
      readEnvelope(
        'events_api',
        {
          type: 'event_callback',
          team_id: 'T1',
          event_id: 'Ev1',
          event: { type: 'message', channel: 'D1', user: 'U1', ts: '1.000001', text },
        },
        { team: 'T1', user: 'U2', name: 'agentpr' },
        '0.000000',
      ),
    most: 40_000,
  },
  'markup shown in Slack': { read: (text) => renderBlocks(text, []), most: MESSAGE },
  'a list of a chat': { read: (text) => readCampaignOrder(text), most: MESSAGE },
  'pull requests of a chat': { read: parsePullList },
  'a transcript': { read: cleanTranscript, most: 64 * KB },
  'an answer of a transcriber': { read: readTranscript, most: 64 * KB },
  'a recording': { read: (text) => measureOpusSeconds(Buffer.concat([OPUS_START, Buffer.from(text)])) },
  'a picture of a chat': {
    read: (text) => PICTURE_STARTS.map((start) => cleanPicture(Buffer.concat([start, Buffer.from(text)]))),
  },
  'a list of repositories': { read: readList, away: true },
  'a table of repositories': { read: (text) => readList(`repo,team\nacme/api,"${text}`), away: true },
  'a campaign file': {
    away: true,
    read: (text) => [isCampaignFile(text), readCampaignFile(text)],
  },
  'a campaign’s goal': {
    away: true,
    read: (text) =>
      readCampaignFile(`name: a\nrepositories: [acme/api]\ngoal: |\n  ${text.replaceAll('\n', '\n  ')}`),
  },
  'a file of a chat': { read: (text) => parseSentCampaign(text, '/batch'), away: true },
  'guides of a repository': {
    away: true,
    most: FILE,
    read: (text) =>
      readContributionRequirements(
        { paths: ['CONTRIBUTING.md'], files: new Map([['CONTRIBUTING.md', text]]) },
        () => {},
      ),
  },
  'judges of a repository': {
    away: true,
    most: FILE,
    read: (text) =>
      readCheckConfig(
        {
          commands: [{ command: 'npm test', dir: '' }],
          changed: ['package.json'],
          paths: ['package.json'],
          texts: new Map([['package.json', [text, text]]]),
        },
        () => {},
      ),
  },
  'dependencies that a change declares': {
    away: true,
    read: (text) =>
      ['package.json', 'Cargo.toml', 'requirements.txt', 'go.mod'].map((path) =>
        findDependencyChanges(
          { path, bytes: Buffer.from(text.slice(0, 1_000)) },
          { path, bytes: Buffer.from(text) },
        ),
      ),
  },
  'a manifest whose own version alone may differ': {
    away: true,
    read: (text) =>
      ['package.json', 'package-lock.json', 'Cargo.toml', 'Cargo.lock'].map((path) =>
        isOwnVersionChange(
          { path, bytes: Buffer.from(text.slice(0, 1_000)) },
          { path, bytes: Buffer.from(text) },
        ),
      ),
  },
  'what an agent read in a repository': {
    away: true,
    most: FILE,
    read: (text) => {
      const lines = ['check', 'other'].map((kind) =>
        JSON.stringify({ kind, text: 'nowhere there', file: 'a.md', line: 1 }),
      );
      return [
        parseNamedFiles(text),
        refineContract(
          { checks: [], rules: [], riskFlags: [], installs: [] } as never,
          `${text}\n${lines.join('\n')}`,
          () => text,
        ),
        refineContract(
          { checks: [], rules: [], riskFlags: [], installs: [] } as never,
          lines.join('\n'),
          () => text,
        ),
      ];
    },
  },
  ...Object.fromEntries(SOURCES.map((path) => [`a source file ${path}`, source(path)])),
  'a map of a repository': { away: true, read: mapOf },
  'what linters answer': {
    most: 256_000,
    read: (text) =>
      ['eslint', 'flake8', 'gofmt -l', 'isort --check'].map((command) =>
        findFileLinters([{ name: 'lint', command, dir: '' }], () => ({})).map((linter) =>
          readComplaints(linter, ['a.js', 'a.py', 'a.go'], text),
        ),
      ),
  },
  'scripts of a package that lint': {
    most: 256_000,
    read: (text) => [
      parsePackageScripts(text),
      findFileLinters([{ name: 'lint', command: 'npm run lint', dir: '' }], () => ({ lint: text })).map(
        (one) => one.meant(['src/a.js']),
      ),
    ],
  },
  'a list of prices': { read: readPriceList },
  'a script with variables': {
    read: (text) => [
      createUnquotableValueFinder(text),
      findUnknownVariables(text),
      fillVariables(text, { a: 'b' }),
    ],
    most: 100_000,
  },
  'a patch to show': { away: true, read: (text) => [toReadablePatch(text), topHunks(text, [], 4_000)] },
  'pages of a patch': {
    away: true,
    read: (text) =>
      paginatePatch(`diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+${text.replaceAll('\n', '\n+')}`),
  },
  'the files of a patch, line by line': {
    away: true,
    read: (text) =>
      readPatchBook(`diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+${text.replaceAll('\n', '\n+')}`),
  },
  'a patch to compare': { read: parsePatchedFiles },
  'words to show': { read: (text) => escapeProse(text, 200), most: BODY },
};

export const PARSERS: Readonly<Record<string, Parser>> = {
  ...Object.fromEntries(PARSED_FILES.map((path) => [`a repository's ${path}`, repositoryFile(path)])),
  ...READERS,
};
