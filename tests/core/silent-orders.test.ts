/** F9: what is published where nothing but the order says what was done. */
import { describe, expect, it } from 'vitest';
import { composeBranchName } from '../../pull-text/commit-subjects.ts';
import { toTaskStatement, removeAgentInstructions } from '../../pull-text/order-sentences.ts';
import { order } from '../support/core-samples.ts';
import { ran, rendered, SAMPLES, type Sample } from '../support/change-samples.ts';

describe('an order', () => {
  it.each([
    ['Fix the Allow header: OPTIONS is listed.', 'OPTIONS is listed. This fixes the Allow header.'],
    [
      'Fix parse_string: escape sequences are read wrong. Fixes #2',
      'Escape sequences are read wrong. This fixes parse_string. Fixes #2',
    ],
    ['Add a setting: it is off by default', 'This adds a setting: it is off by default'],
    ['Fix the parser: keep the last delay', 'Fix the parser: keep the last delay'],
    ['Use size_t, so that CBC works. Closes #172', 'This uses size_t, so that CBC works. Closes #172'],
    ['Document the flag, and test it.', 'This documents the flag, and tests it.'],
    ['Add methods to get and set the edition.', 'This adds methods to get and set the edition.'],
    ['Apply the fold once', 'This applies the fold once'],
    [
      'Fix the leak of keys, and increment the version to 1.1.2',
      'This fixes the leak of keys, and increments the version to 1.1.2',
    ],
    ['Treat a bare ")" as an error, as "(" is', 'This treats a bare ")" as an error, as "(" is'],
    ['Preserve $? and $_ when it ends early', 'This preserves $? and $_ when it ends early'],
    ['Do not search for flags in long options.', 'This no longer searches for flags in long options.'],
    [
      'A tuple as key breaks the message. Format it as one value. Fixes #12',
      'A tuple as key breaks the message. This formats it as one value. Fixes #12',
    ],
    ['A tuple as key breaks the message. Add a test.', 'A tuple as key breaks the message. Add a test.'],
    ['Do not be strict', 'Do not be strict'],
    [
      '`parser.load`: raise TypeError, not AttributeError, when bytes are given',
      'This makes `parser.load` raise TypeError, not AttributeError, when bytes are given',
    ],
    [
      'todo_completion: complete done and deduplicate',
      'This makes todo_completion complete done and deduplicate',
    ],
    ['core: keep it', 'core: keep it'],
    ['src/parser: fix the crash', 'src/parser: fix the crash'],
    ['Do not follow links and keep the cache', 'Do not follow links and keep the cache'],
    ['Fix #12: it forgets the delay', 'Fix #12: it forgets the delay'],
    ['The parser forgets the delay.', 'The parser forgets the delay.'],
    ['fix(core): keep it', 'fix(core): keep it'],
    ['Copy and paste the table', 'Copy and paste the table'],
    ['修复解析器', '修复解析器'],
    ['Fix crash and add a test', 'This fixes crash and adds a test'],
    ['Fix the parser and the printer', 'This fixes the parser and the printer'],
    ['Show the time to live and the size', 'This shows the time to live and the size'],
    [
      'Fix the parser so that it does not crash on empty input',
      'This fixes the parser so that it does not crash on empty input',
    ],
  ])('F9: %j is told as %j', (goal, told) => {
    expect(toTaskStatement(goal)).toBe(told);
  });
  it.each([
    'Store credentials are logged in plain text',
    'Import errors on Python 3.12',
    'Test failures on macOS',
    'Type checks fail on Windows',
    'Log rotation breaks at midnight',
    'Support for IPv6 is missing',
    'Release notes are not generated',
    'Cache invalidation is broken when the TTL is zero',
    'Default timeout is too short',
    'Return values are wrong',
    'List items lose their order',
    'Link checker reports false positives',
    'Format strings are not escaped',
    'Print statements left in utils.py',
    'Match groups are off by one',
    'Set operations on empty sets throw',
    'Start page shows a blank screen',
    'Guard clauses missing in parse()',
    'Fill colour ignored in dark mode',
    'Use after free in the parser',
    'Add button missing on mobile',
    'Delete key broken in the editor',
    'Remove fails on Windows',
    'Fix for the parser is wrong',
  ])('F9: %j is a problem, and told as it is', (goal) => {
    expect(toTaskStatement(goal)).toBe(goal);
  });
  it.each([
    'Add IPv6 support and drop IPv4',
    'Open files lazily, cache their contents and close them at exit',
    'Retry requests up to three times and give up with a clear error',
    'Fix typos, and do not touch the tests',
    'Say hello to the user and ask for its name',
    'Make the build faster, fix lint',
    'Rename foo to bar; update the docs',
    'Fix two things: add a test and remove the flag',
    'Add a --json flag. Then update the README.',
  ])('F9: %j orders more than can be told for certain, and stays', (goal) => {
    expect(toTaskStatement(goal)).toBe(goal);
  });
  it('F9: says to the agent alone what to document and test', () => {
    expect(removeAgentInstructions('Add utarray_replace. Document and test it.')).toBe(
      'Add utarray_replace.',
    );
  });
  it.each([
    ['Fix the Allow header', 'fix/the-allow-header-r7'],
    ['fix: keep the delay', 'fix/keep-the-delay-r7'],
    ['Document the flag', 'docs/document-the-flag-r7'],
    ['Escape raw HTML in the alt text', 'fix/escape-raw-html-in-the-alt-text-r7'],
    ['Preserve the status on early returns', 'fix/preserve-the-status-on-early-returns-r7'],
    ['Do not search in long options', 'fix/do-not-search-in-long-options-r7'],
    ['A tuple as key breaks the message', 'fix/a-tuple-as-key-breaks-the-message-r7'],
    ['Insert page breaks', 'insert-page-breaks-r7'],
    ['Fix', 'fix/fix-r7'],
    ['Make it work with frozen strings', 'make-it-work-with-frozen-strings-r7'],
    ['Use size_t, so that CBC works', 'use-size-t-so-that-cbc-works-r7'],
    ['parse: raise TypeError, not KeyError', 'fix/parse-raise-typeerror-not-keyerror-r7'],
    ['Tell a host that does not answer', 'tell-a-host-that-does-not-answer-r7'],
    ['Say what is not said yet', 'say-what-is-not-said-yet-r7'],
    ['Make room for a workflow', 'make-room-for-a-workflow-r7'],
    ['Return a list, nothing else', 'return-a-list-nothing-else-r7'],
    ['Return an error when the name is no text', 'fix/return-an-error-when-the-name-is-no-text-r7'],
    ['Raise the limit of errors', 'raise-the-limit-of-errors-r7'],
    ['chore: use text for names', 'chore/use-text-for-names-r7'],
    ['fix(error_matches) convert numbers', 'fix/convert-numbers-r7'],
    ['build(x) gives a wrong result', 'fix/build-x-gives-a-wrong-result-r7'],
  ])('E14: %j names the branch %s', (goal, branch) => {
    expect(composeBranchName(order({ goal }), null, 'r7')).toBe(branch);
  });
  it.each([
    [
      'Fix the leak when a key holds an embedded null byte of another string',
      'fix/the-leak-when-a-key-holds-an-embedded-null-byte-r7',
    ],
    ['Fix booleans without a type which are followed by an argument', 'fix/booleans-without-a-type-r7'],
    [
      'Use size_t for the length of buffers, so that CBC and CTR take more',
      'use-size-t-for-the-length-of-buffers-r7',
    ],
    [
      '`parser.load`: raise TypeError, not AttributeError, when bytes are given',
      'fix/parser-load-raise-typeerror-not-attributeerror-r7',
    ],
    [
      'Keep the last delay of a retry in the settings of the page',
      'keep-the-last-delay-of-a-retry-in-the-settings-r7',
    ],
    [
      'Fix the parser of titles: escapes behind a line of backslashes are lost',
      'fix/the-parser-of-titles-r7',
    ],
    [
      `Log ${'very '.repeat(9)}long words that nobody cuts`,
      'log-very-very-very-very-very-very-very-very-very-r7',
    ],
    [
      '`parser.load`: raise a clear TypeError for anything but text, also for None',
      'fix/parser-load-raise-a-clear-typeerror-r7',
    ],
    ['`load`: raise an error for anything but text', 'fix/load-raise-an-error-for-anything-but-text-r7'],
    [
      'Keep all of the cached responses of the upstream but drop those of users',
      'keep-all-of-the-cached-responses-of-the-upstream-r7',
    ],
    ['Let people log in to', 'let-people-log-in-to-r7'],
    [
      'Cache all of the responses for ten minutes, as long as the upstream allows it',
      'cache-all-of-the-responses-for-ten-minutes-r7',
    ],
  ])('E14: %j is cut behind a whole phrase: %s', (goal, branch) => {
    expect(composeBranchName(order({ goal }), null, 'r7')).toBe(branch);
  });
  it.each([
    ['Treat a bare ")" as a syntax error', 'fix/treat-a-bare-as-a-syntax-error-r7'],
    ['Preserve $? and $_ when the prompt returns early', 'fix/preserve-and-when-the-prompt-returns-early-r7'],
    ['Use <= in place of < for limits of pages', 'use-in-place-of-for-limits-of-pages-r7'],
    ['Remove the * export of the index for users', 'remove-the-export-of-the-index-for-users-r7'],
    ['Allow @ in names of packages', 'feat/allow-in-names-of-packages-r7'],
    ['Drop the ! from the end of messages', 'drop-the-from-the-end-of-messages-r7'],
    ['Escape `%` in titles', 'fix/escape-in-titles-r7'],
    ['Escape & in the titles of pages', 'fix/escape-in-the-titles-of-pages-r7'],
    ['Support C++ and C#', 'feat/support-c-and-c-r7'],
  ])('E14: code without a letter leaves %j its other words: %s', (goal, branch) => {
    expect(composeBranchName(order({ goal }), null, 'r7')).toBe(branch);
  });
  it.each([
    ['The name is no text. Fixes #12', 'fix/the-name-is-no-text-r7'],
    ['The name is no text. Closes #12', 'the-name-is-no-text-r7'],
    ['Add a name of text. Fixes #12', 'feat/add-a-name-of-text-r7'],
  ])('E14: %j is a fix where it fixes an issue: %s', (goal, branch) => {
    const changed = { paths: ['src/retry.ts'], said: null, title: null };
    expect(composeBranchName(order({ goal }), null, 'r7', changed)).toBe(branch);
    const told = composeBranchName(order({ goal }), null, 'r7', { ...changed, said: 'feature' });
    expect(told).toMatch(/^feat\//);
  });
  it.each([
    ['fix(retry): keep the last delay', null, 'fix/keep-the-last-delay-r7'],
    ['retry: keep the last delay', 'fix', 'fix/retry-keep-the-last-delay-r7'],
    ['Keep the last delay', 'fix', 'fix/keep-the-last-delay-r7'],
    ['Read the last delay once', 'perf', 'perf/read-the-last-delay-once-r7'],
    ['perf: read the last delay once', null, 'perf/read-the-last-delay-once-r7'],
    ['保留最后的延迟', 'fix', 'fix/agentpr-r7'],
  ] as const)('E14: a change titled %j, of the kind %j, is pushed to %s', (title, said, branch) => {
    const changed = { paths: ['src/retry.ts'], said, title };
    expect(
      composeBranchName(
        order({ goal: said === 'perf' ? 'Wait less in retry' : 'retry forgets what it waited' }),
        null,
        'r7',
        changed,
      ),
    ).toBe(branch);
  });
});

describe('the description of a change that nobody described', () => {
  const fix = SAMPLES['fix'] as Sample;
  const said = (change: Partial<Sample>, engine = 'script'): string => {
    const goal = change.goal ?? fix.goal;
    return rendered({ ...fix, said: {}, ...change }, null, { order: order({ goal, engine }) }).body;
  };
  const withReason = (act: string, sign: string, more: string): string[] => {
    const { title, body } = rendered({ ...fix, said: {}, goal: `${act}${sign} ${more}` }, null);
    return [title, body.split('\n\n')[0] ?? ''];
  };
  it.each([':', ';'])(
    'F9: has the reason that an order gives behind %j below the act as its title',
    (sign) => {
      const act = 'Treat upgrades before 1.0 as unsafe';
      const reason = 'with major version 0 every release of a package may break';
      const said = `With major version 0 every release of a package may break.`;
      expect(withReason(act, sign, reason)).toEqual([act, said]);
      const back = 'it may break with each of the releases of a package';
      expect(withReason(act, sign, back)).toEqual([act, `${act}${sign} ${back}.`]);
    },
  );
  it('F9: names an issue behind what it is about', () => {
    const goal = 'Keep the last delay of a retry. Closes #10. The delay was reset before anything read it.';
    const { body } = rendered({ ...fix, said: {}, goal }, null);
    expect(body).toMatch(/^The delay was reset before anything read it\. Closes #10\./);
  });
  it('F9: keeps a name and its act in one title, however long', () => {
    const goal = 'parser: keep the order of keys when objects are read from a file that has several of them';
    expect(rendered({ ...fix, said: {}, goal }, null).title).toContain('parser: keep the order');
  });
  it('F9: says what the order says beyond the title, and calls a script a script', () => {
    const body = said({ goal: 'Keep the last delay of a retry. It was reset before it was read.' });
    expect(body).toMatch(
      /^This keeps the last delay of a retry\. It was reset before it was read\.\n\n\*\*Checks\*\*/,
    );
    expect(body).toContain('Made by a script; a person approved exactly this content before it was opened.');
    expect(body).not.toContain('agent (');
  });
  it.each([
    ['Keep the last delay of a retry', /^\*\*Checks\*\*/],
    ['Keep the last delay of a retry. Add a line to the notes.', /^\*\*Checks\*\*/],
    ['Keep the last delay without a limit (fixes #12)', /^Fixes #12\.\n\n\*\*Checks\*\*/],
    ['fix(retry): keep the last delay. Closes #12', /^Closes #12\.\n\n\*\*Checks\*\*/],
    ['retry() forgets the last delay', /^\*\*Checks\*\*/],
    ['The delay of a retry is forgotten', /^\*\*Checks\*\*/],
    ['Fix parse_string: escape sequences are read wrong', /^\*\*Checks\*\*/],
    ['Fix the Allow header: OPTIONS is listed', /^OPTIONS is listed\.\n/],
    ['Login breaks after an hour. Fix the refresh of tokens', /^Login breaks after an hour\.\n/],
    ['Keep the last delay. Servers ask for it.', /^This keeps the last delay\. Servers ask for it\.\n/],
    ['Keep the last delay. Servers ask for one.', /^Servers ask for one\.\n/],
    ['Node 22 is the new LTS. Please add it to the CI matrix.', /^Node 22 is the new LTS\. Please add it/],
    ['Fix totals(): amounts are rounded to two digits', /^Amounts are rounded to two digits\. /],
    [
      'Use size_t for the length of all the buffers here, so that CBC and CTR take more',
      /^This uses size_t for the length of all the buffers here, so that CBC and CTR take more\.\n/,
    ],
    ['重试时保留最后的延迟', /^\*\*检查\*\*/],
    ['重试时保留最后的延迟。旧的延迟被重置了', /^旧的延迟被重置了。\n/],
  ])('F9: of %j, the words of the title are not said again', (goal, begins) => {
    expect(said({ goal })).toMatch(begins);
  });
  it('F9: no engine repeats the title either', () => {
    const goal = 'Keep the last delay of a retry';
    expect(said({ goal, said: { what: goal } }, 'codex')).toMatch(/^\*\*Checks\*\*/);
    expect(said({ goal, said: { what: goal, why: 'The delay was reset.' } }, 'codex')).toMatch(
      /^The delay was reset\.\n\n\*\*Checks\*\*/,
    );
  });
  it('F9: a section of a template says the change where nobody said more', () => {
    const goal = 'Keep the last delay of a retry';
    const { body } = rendered({ ...fix, said: {}, goal }, '## Description\n\n## Testing\n');
    expect(body).toMatch(/^## Description\n\nThis keeps the last delay of a retry\.\n/);
  });
  it('F9: closes an issue that the order names in a parenthesis', () => {
    const body = said({ goal: 'Keep the last delay. A retry lost it (fixes #12)' });
    expect(body).toMatch(/^This keeps the last delay\. A retry lost it\.\n\nFixes #12\.\n\n/);
  });
  it.each([
    ['重试时保留最后的延迟。旧的延迟被重置了', '旧的延迟被重置了。'],
    ['重试时保留最后的延迟。。旧的延迟被重置了', '旧的延迟被重置了。'],
    ['重试时保留最后的延迟。旧的延迟被重置了！？又被读取了', '旧的延迟被重置了！？又被读取了。'],
    ['重试时保留最后的延迟。旧的延迟被重置了……', '旧的延迟被重置了……'],
  ])('F9: ends the Chinese sentence %j as Chinese does', (goal, body) => {
    expect(said({ goal }).split('\n')[0]).toBe(body);
  });
  it('F9: names an issue that it does not close in a sentence', () => {
    const body = said({
      goal: 'Keep the last delay. see #12',
      said: { what: 'Keep it', why: 'A retry lost it.' },
    });
    expect(body).toMatch(/\n\nSee #12\.\n\n/);
  });
  it('F9: says no sentence of the order twice', () => {
    const goal = 'Log rotation breaks at midnight. The rotated file is empty.';
    const grounds = { said: { what: goal }, patch: '+ log rotation midnight rotated file empty' };
    const body = said({ goal, ...grounds }, 'codex');
    expect(body).toMatch(/^The rotated file is empty\.\n\n\*\*Checks\*\*/);
    expect(said({ goal: `${goal} It worked in May.`, ...grounds }, 'codex')).toMatch(
      /^The rotated file is empty\.\n\nIt worked in May\./,
    );
  });
  it('F11: names the engine that made the change', () => {
    expect(said({}, 'codex')).toContain('Made by a coding agent (`codex`); a person approved');
  });
});

describe('our own sentences', () => {
  const fix = SAMPLES['fix'] as Sample;
  const patch = '+ // 保留最后的延迟 retry';
  const bodyOf = (goal: string, said: Sample['said'], more: Partial<Sample> = {}): string =>
    rendered({ ...fix, goal, said, patch, ...more }, '').body;
  const gap = { kind: 'no_program', program: 'make' } as const;
  const checks: Sample['checks'] = [
    { ...ran('test', 'npm test'), withTestsOnBase: 'fails' },
    { ...ran('lint', 'make lint', 'not_run'), environmentGap: gap },
  ];
  it('F9: stand in Chinese below a Chinese description', () => {
    const why = '`retry` 先重置了延迟。现在先读取最后的延迟。';
    const body = bodyOf('保留最后的延迟', { what: '保留 retry 最后的延迟', why }, { checks });
    expect(body).toBe(
      [
        why,
        '**检查**',
        '以下检查针对这个提交的文件运行：',
        '- `npm test`：通过',
        '没有在这里运行：',
        '- `make lint`：这台机器上没有安装 `make`',
        '只加上这个改动的测试时，`npm test` 在 `main` 上不通过；在这里通过。',
        '由编程代理（`codex`）完成；创建之前，有人批准了与此完全相同的内容。',
      ].join('\n\n'),
    );
  });
  it.each([
    ['重试时保留最后的延迟', '旧的延迟被重置了。', '参见 #12。', '**破坏性变更：**旧的延迟会丢失。'],
    ['Keep the last delay', 'It was reset.', 'See #12.', '**Breaking:** The old delay is lost.'],
    [
      'Mantém o último atraso',
      'Não é lido com as outras tentativas de uma página.',
      'Veja #12.',
      '**Quebra de compatibilidade:** O atraso de uma tentativa é perdido.',
    ],
  ])('F9: of what breaks and of issues stand in the language of %j', (what, why, see, breaks) => {
    const [, breaking = ''] = /\*\*[^*]+\*\* ?(.*)[.。]$/.exec(breaks) ?? [];
    const all = { patch: `+ // ${what} ${why} ${breaking}` };
    const body = bodyOf(`${what}, see #12`, { what, why, breaking }, all);
    expect(body.split('\n\n')).toEqual(expect.arrayContaining([see, breaks]));
  });
  it('F9: stand in Portuguese below a Portuguese description', () => {
    const why =
      'O atraso era zerado antes de ser lido com `retry`. Agora não é zerado em uma nova tentativa.';
    const said = { what: 'Mantém o último atraso', why };
    const portuguese = '+ // atraso lido antes da nova tentativa: retry zerado';
    expect(bodyOf('Manter o último atraso', said, { checks, patch: portuguese })).toBe(
      [
        why,
        '**Verificações**',
        'Executado exatamente com os arquivos deste commit:',
        '- `npm test`: passou',
        'Não executado aqui:',
        '- `make lint`: `make` não está instalado nesta máquina',
        'Só com os testes desta mudança, `npm test` falha em `main`; aqui passa.',
        'Feito por um agente de programação (`codex`); uma pessoa aprovou exatamente este conteúdo antes da abertura.',
      ].join('\n\n'),
    );
  });
  it.each([
    [
      'an English one with a Chinese word',
      'Keep the last delay of 延迟',
      { why: 'The delay 延迟 was reset.' },
    ],
    [
      'a Japanese one',
      '最後の遅延を保持する',
      { what: '最後の遅延を保持する', why: '遅延が先にリセットされました。' },
    ],
    [
      'a Spanish one',
      'Conserva la última espera',
      {
        what: 'Conserva la última espera',
        why: 'La espera no se guardaba para el intento, por lo que o era cero.',
      },
    ],
    ['three words of Portuguese', 'Mantém o último atraso', { what: 'Mantém o último atraso' }],
    [
      'an English one with Portuguese in it',
      'Keep the last delay of a retry',
      {
        why: 'The message “não foi possível com um atraso” of the retry is the delay that was read in the first place.',
      },
    ],
  ] as const)('F9: stay English below %s', (_, goal, said) => {
    expect(bodyOf(goal, said)).toContain('**Checks**\n\nRun on exactly');
  });
});
