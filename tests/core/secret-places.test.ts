/**
 * C5, G8: where exactly a secret stands, how sure that is, and what is left to be read around it.
 */
import { describe, expect, it } from 'vitest';
import { findSecrets, redactSecrets, redactAll } from '#text-safety';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const BYTES = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7';
const BEGIN = '-----BEGIN PRIVATE KEY-----';
const BLOCK = '-----BEGIN PGP PRIVATE KEY BLOCK-----';
const sure = (text: string): boolean[] => findSecrets(text).map((one) => one.sure);

describe('the first line of a key', () => {
  it.each([
    ['at the end of its line', `${BEGIN}\nx`],
    ['at the end of the text', BEGIN],
    ['before a carriage return', `${BEGIN}\r\nx`],
    ['as a line of a program', `"${BEGIN}",\nx`],
    ['as a line of a program with blanks', `'${BEGIN}' ,\t \nx`],
    ['as a statement', `\`${BEGIN}\`; \nx`],
    ['with an end of line that is written out', `"${BEGIN}\\n"\nx`],
    ['with one that is written out twice', `"${BEGIN}\\\\n",\nx`],
    ['with its bytes on its line', `f("${BEGIN}\\n${BYTES}", 1)`],
    ['of another kind with its bytes', `f("${BLOCK}\\n${BYTES}", 1)`],
  ])('P3: stops a change %s', (_, text) => {
    expect(sure(text)).toEqual([true]);
  });

  it.each([
    ['looked for', `if (text.includes('${BEGIN}')) {\n  stop();\n}`],
    ['looked for as a block', `if (text.includes('${BLOCK}')) {\n  stop();\n}`],
    ['part of a sentence', `A file with ${BEGIN} in it is a key.\n`],
    ['followed by something else', `"${BEGIN}" + rest\n`],
  ])('P3: asks for a signature where it is %s', (_, text) => {
    expect(sure(text)).toEqual([false]);
  });
});

describe('the bytes of a key', () => {
  it('C5: are hidden to the last one, also at the end of the text', () => {
    expect(redactSecrets(`${BEGIN}\n${BYTES}`)).toBe('[secret]\n[secret 2]');
    expect(redactSecrets(`${BEGIN}\n${BYTES}\n${BYTES.toLowerCase()}Q1=`)).toBe(
      '[secret]\n[secret 2]\n[secret 3]',
    );
  });

  it('G8: leave what stands before them on their lines: the sign of a diff, blanks, a quote', () => {
    expect(redactSecrets(`+${BEGIN}\n+  "${BYTES}"\n# ${BYTES}`)).toBe(
      '+[secret]\n+  "[secret 2]"\n# [secret 2]',
    );
  });

  it('C5: of PuTTY’s own format are hidden below its headers, which stay', () => {
    const file = [
      'y = 2',
      'z = 3',
      'PuTTY-User-Key-File-3: ssh-rsa',
      'Encryption: none',
      BYTES,
      'Q1=',
      'x = 1',
    ].join('\n');
    expect(redactSecrets(file)).toBe(
      ['y = 2', 'z = 3', '[secret] ssh-rsa', 'Encryption: none', '[secret 2]', '[secret 3]', 'x = 1'].join(
        '\n',
      ),
    );
    expect(sure(file)).toEqual([true]);
  });
});

describe('a value under a telling name', () => {
  it.each([
    ['token = config.secrets2.value', []],
    ['token = "config.secrets2.value"', [false]],
    ['token = issue2faToken(user)', []],
    ['token = 1x-y.abc.def22', [false]],
    ['token = abc.def22/zzzz9', [false]],
  ])('P3: is one unless it is code: %s', (text, found) => {
    expect(sure(text)).toEqual(found);
  });
});

describe('places that overlap', () => {
  it('P3: are one, and the sure one says what it is', () => {
    const text = `password="x1-${TOKEN}.more1"`;
    expect(findSecrets(text)).toEqual(findSecrets(TOKEN));
    expect(sure(TOKEN)).toEqual([true]);
    expect(redactSecrets(text)).toBe('password="[secret]"');
  });

  it('P3: stay the sure one when a likely one follows', () => {
    expect(sure(`${TOKEN}`)).toEqual([true]);
    expect(sure(`password=${TOKEN}`)).toEqual([true]);
  });
});

it('P3: each kind is named once, and as sure as its surest place', () => {
  const aws = 'AKIAIOSFODNN7EXAMPLQ';
  expect(findSecrets(`${TOKEN} ${TOKEN.replace('a', 'b')} ${aws}`)).toHaveLength(2);
  expect(sure(`'${BEGIN}')\n${BEGIN}\n`)).toEqual([true]);
  expect(sure(`${BEGIN}\n'${BEGIN}')\n`)).toEqual([true]);
});

it.each([
  'curl -u a:[secret]',
  'curl -u a:[secret 2]',
  'curl -u a:[secret 12]',
  'curl -u a:[secret 1234567]',
])('G8: what is hidden already stays as it is: %s', (text) => {
  expect(redactSecrets(text)).toBe(text);
  expect(redactSecrets(text.replace('[secret', '[geheim9'))).not.toContain('geheim9');
  expect(redactSecrets(`curl -u b:hunter22\n${text}`)).toBe(`curl -u b:[secret]\n${text}`);
});

describe('a value of any shape', () => {
  it('C5: is hidden in every text of it, and is otherwise the same', () => {
    const value = {
      n: 1,
      yes: true,
      none: null,
      list: [`a ${TOKEN}`, 2],
      inner: { text: TOKEN, other: 'plain' },
    };
    expect(redactAll(value)).toEqual({
      n: 1,
      yes: true,
      none: null,
      list: ['a [secret]', 2],
      inner: { text: '[secret]', other: 'plain' },
    });
    expect([redactAll(TOKEN), redactAll('plain'), redactAll(7), redactAll(null)]).toEqual([
      '[secret]',
      'plain',
      7,
      null,
    ]);
  });

  it('C5: is hidden whole under a telling name, also in a list, and nowhere else', () => {
    const word = 'hunter2x9y8z7';
    expect(redactAll({ password: word, note: word, inner: { api_key: [word] } })).toEqual({
      password: '[secret]',
      note: word,
      inner: { api_key: ['[secret]'] },
    });
    expect(redactAll(word)).toBe(word);
    expect(redactAll({ password: `x ${TOKEN}` })).toEqual({ password: 'x [secret]' });
  });
});
