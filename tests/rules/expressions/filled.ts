/**
 * What is put into expressions that are built when they are used: something like it, and why it can
 * be nothing that makes the expression slow.
 */
export const FILLED: Readonly<Record<string, { like: string; why: string }>> = {
  'bot/phrases/classify.ts: names': { like: 'api|web', why: 'names of repositories, escaped' },
  'bot/phrases/direct-phrases.ts: unwanted.source': {
    like: 'not|without',
    why: 'an expression of a language, judged where it stands',
  },
  'bot/phrases/find-meant-runs.ts: phrases.actions': {
    like: '(?:retry|run)',
    why: 'an expression of a language, judged where it stands',
  },
  'bot/phrases/find-meant-runs.ts: escapeRegExp(name)': { like: 'api', why: 'escaped' },
  "bot/phrases/order-phrases.ts: short.map((one) => one.replace(/[.+*]/g, String.raw`\\$&`)).join('|')": {
    like: 'api|web',
    why: 'names of repositories, which hold no other signs',
  },
  "cli/redact-export.ts: names.join('|')": { like: 'ana|ben', why: 'escaped' },
  'cli/setup/credentials.ts: name': { like: 'GITHUB_TOKEN', why: 'a setting of ours' },
  'discovery/agent-reported-rules.ts: escapePattern(normalizeQuoteText(value))': {
    like: 'word',
    why: 'escaped',
  },
  'discovery/probes/compiled-languages.ts: name': { like: 'phpunit', why: 'a tool of our rows' },
  "discovery/probes/node.ts: name.replace(/[.+*?]/g, '\\\\$&')": {
    like: 'lint:fix',
    why: 'a name of the rows of scripts that was found in the file',
  },
  "discovery/probes/python.ts: name.replace(/\\./g, '\\\\.')": { like: 'tool', why: 'a table of our rows' },
  'discovery/probes/python.ts: escaped': { like: 'tool', why: 'a table of our rows' },
  "discovery/probes/python.ts: runner === 'hatch' ? ownName(name) : name": {
    like: 'lint',
    why: 'a name of word characters',
  },
  'discovery/rule-passage.ts: verbs': { like: 'open|add', why: 'words of our rows' },
  'discovery/select-checks.ts: tool': { like: 'mypy', why: 'one of the tools named above it' },
  'executors/sandbox/control-groups.ts: name': { like: 'oom', why: 'a field of the kernel' },
  'executors/sandbox/resource-limits.ts: name': { like: 'RssAnon', why: 'a field of the kernel' },
  'forge/change-survival.ts: own': {
    like: '(?<![\\w./-])(?:acme/api)?#12\\b',
    why: 'a repository and a number',
  },
  'orchestrator/clusters/varying-values.ts: own': {
    like: '|(?<![\\p{L}])(?:a|b)(?![\\p{L}])',
    why: 'values, escaped',
  },
  'orchestrator/commands/define-argument.ts: own': { like: '--confirm', why: 'one of two flags' },
  'governor/inline-program.ts: pattern': {
    like: 'open',
    why: 'an expression of the table above it, judged where it stands',
  },
  'governor/inline-program.ts: word': { like: 'EOF', why: 'word characters' },
  "governor/note-command.ts: note.replaceAll('.', '\\\\.')": {
    like: 'note',
    why: 'a name of ours',
  },
  'model/pull/branch-names.ts: head': {
    like: 'feat',
    why: 'a part of a rule, escaped where it is taken apart',
  },
  "model/pull/branch-names.ts: rest.map((part) => `/${asPattern(part)}`).join('')": {
    like: '/[^/]+',
    why: 'parts of a rule, escaped where they are taken apart',
  },
  'model/pull/competing-pulls.ts: number': { like: '12', why: 'digits' },
  'model/contract/title-format.ts: project': { like: 'ABC', why: 'letters and digits of a key' },
  "model/contract/title-format.ts: format.project ?? '[A-Z][A-Z0-9]{1,9}'": {
    like: '[A-Z][A-Z0-9]{1,9}',
    why: 'letters and digits of a key',
  },
  'orchestrator/orders/repository-table.ts: blank': { like: '[ ]*', why: 'blanks beside the separator' },
  'orchestrator/orders/repository-table.ts: sign': { like: '[^"]', why: 'what stands in quotation marks' },
  'orchestrator/orders/repository-table.ts: separator': { like: ',', why: 'one sign' },
  'pull-text/confirm-checkboxes.ts: escapePattern(word)': { like: 'word', why: 'escaped' },
  'pull-text/confirm-checkboxes.ts: escapePattern(f.baseRef)': { like: 'main', why: 'escaped' },
  'pull-text/supported-claims.ts: escapePattern(name)': { like: 'word', why: 'escaped' },
  'tools/command-purpose.ts: source': { like: 'word', why: 'a pattern of a row, judged where it stands' },
  'tools/command-purpose.ts: startPattern(row)': {
    like: '(?:php (?:-\\w \\S+ )*(?:\\S*\\/)?)?(?:phpunit|pest)',
    why: 'names of programs, escaped, behind an interpreter',
  },
  "tools/command-purpose.ts: patterns.join('|')": { like: '(?:ec|typos)', why: 'names of programs, escaped' },
  'tools/tool-schema.ts: source': { like: 'word', why: 'a pattern of a row, judged where it stands' },
  'tools/pattern.ts: source': { like: 'word', why: 'a pattern of a row, judged where it stands' },
  'bot/phrases/load-phrases.ts: source': {
    like: 'word',
    why: 'a pattern of a language, judged where it stands',
  },
  'model/values/find-all-matches.ts: source': {
    like: 'word',
    why: 'an expression of whoever looks for it, judged where it stands',
  },
  'bot/phrases/repair-slips.ts: before': { like: '请把', why: 'characters of a language, without signs' },
  "bot/phrases/repair-slips.ts: [...meant.keys()].join('|')": {
    like: '取小|会复',
    why: 'words of a language, without signs',
  },
  'bot/phrases/repair-slips.ts: after': { like: '吧', why: 'characters of a language, without signs' },
  'discovery/command-rank.ts: commandWords().takesParts': {
    like: '(?:pytest|go test)',
    why: 'what rows say, judged where it stands',
  },
  "discovery/command-rank.ts: commandWords().ordinaryTasks.join('|')": {
    like: 'pytest|jest',
    why: 'what rows say, judged where it stands',
  },
  "discovery/unwrap-command.ts: [...calledByPath, ...OWN_SCRIPTS].join('|')": {
    like: 'pytest|jest',
    why: 'what rows say, judged where it stands',
  },
  "discovery/unwrap-command.ts: [...brought, ...BUILD_SCRIPTS].join('|')": {
    like: 'gradlew|mvnw',
    why: 'what rows say, judged where it stands',
  },
  "tools/output/tool-errors.ts: patterns.map(withOwnFlags).join('|')": {
    like: 'out of date|not found',
    why: 'what rows say, judged where it stands',
  },
  "tools/command-words.ts: anyOf(keysOf(rows, 'prepares'))": {
    like: '(?:npm ci|cmake)',
    why: 'what rows say, judged where it stands',
  },
  "tools/command-words.ts: anyOf(keysOf(rows, 'comesWithCi'))": {
    like: '(?:typos|buf)',
    why: 'what rows say, judged where it stands',
  },
  'tools/packages/dependencies.ts: name': {
    like: 'version',
    why: 'what rows say, judged where it stands',
  },
  'tools/packages/dependencies.ts: told.file': {
    like: 'package\\.json',
    why: 'what rows say, judged where it stands',
  },
  "tools/harmless-uses.ts: patterns.join('|')": {
    like: '-q|--(?:quiet|check)',
    why: 'what rows say, judged where it stands',
  },
  "tools/settings-files.ts: names.join('|')": {
    like: 'package\\.json|makefile',
    why: 'what rows say, judged where it stands',
  },
  "tools/settings-files.ts: anywhere.join('|')": {
    like: '\\.cargo|\\.mvn',
    why: 'what rows say, judged where it stands',
  },
  "tools/settings-files.ts: root.join('|')": {
    like: 'xtask|hooks',
    why: 'what rows say, judged where it stands',
  },
  "tools/settings-files.ts: reads.join('|')": {
    like: 'package\\.json|makefile',
    why: 'what rows say, judged where it stands',
  },
  'tools/known-tasks.ts: anyOf(patterns)': {
    like: '(?:jest|mocha)',
    why: 'what rows say, judged where it stands',
  },
  "tools/known-tasks.ts: anyOf(patternsIn(rows, 'rewritesWith'))": {
    like: '(?:black|isort)',
    why: 'what rows say, judged where it stands',
  },
  'tools/words/word-patterns.ts: source': {
    like: 'word',
    why: 'a class of words, judged where it stands',
  },
};
