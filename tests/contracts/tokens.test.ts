/** Button tokens: only what we made, for the chat, the verb and the message that we made it for. */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { createButtonTokens, type ButtonToken } from '../../bot/commands/button-tokens.ts';
import { BUTTONS } from '../../bot/commands/buttons.ts';

const key = Buffer.alloc(32, 7);
const tokens = createButtonTokens([key]);
const accepted = (text: string, chat: number): ButtonToken | null => {
  const token = tokens.read(text);
  return token && tokens.ours(token, String(chat)) ? token : null;
};

const aToken = fc.record({
  verb: fc.constantFrom(...BUTTONS.map((one) => one.verb)),
  index: fc.option(fc.integer({ min: 0, max: 99 })),
  n: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
});
const aChat = fc.integer({ min: -(2 ** 52), max: 2 ** 52 });

describe('button tokens', () => {
  it('G4: come back as they were made, in at most 64 bytes', () => {
    fc.assert(
      fc.property(aToken, aChat, (token, chat) => {
        const text = tokens.make(token, String(chat));
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64);
        expect(accepted(text, chat)).toMatchObject(token);
      }),
      { numRuns: 1_000 },
    );
  });

  it('G4: are refused in another chat, with another verb, number or index, and when a character differs', () => {
    fc.assert(
      fc.property(
        aToken,
        aChat,
        aChat,
        aToken,
        fc.nat(),
        fc.integer({ min: 33, max: 126 }),
        (token, chat, other, else_, at, code) => {
          const text = tokens.make(token, String(chat));
          if (other !== chat) expect(accepted(text, other)).toBeNull();
          const mac = text.split('.').at(-1);
          const forged = tokens.make(else_, String(chat)).replace(/[^.]+$/, mac ?? '');
          if (forged !== text) expect(accepted(forged, chat)).toBeNull();
          const place = at % text.length;
          const changed = text.slice(0, place) + String.fromCharCode(code) + text.slice(place + 1);
          if (changed !== text) expect(accepted(changed, chat)).toBeNull();
          expect(accepted(text.slice(0, place), chat)).toBeNull();
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('G4: accepts nothing that somebody made up', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), aChat, (text, chat) => {
        expect(accepted(text, chat)).toBeNull();
      }),
    );
    const good = tokens.make({ verb: 'confirm', index: null, n: 35 }, '7');
    const version = good.replace(/^a1/, 'a2');
    const zeros = good.replace('.z.', '.0z.');
    const upper = good.replace('.z.', '.Z.');
    for (const text of ['', 'a1', 'a1.ok.z.', version, zeros, upper, `${good}x`, ` ${good}`, `${good}\n`]) {
      expect(accepted(text, 7), text).toBeNull();
    }
  });

  it('G4: have one spelling', () => {
    const shown = tokens.make({ verb: 'show', index: 1, n: 35 }, '7');
    expect(accepted(shown, 7)).not.toBeNull();
    expect(tokens.read(shown.replace('show1', 'show01'))).toBeNull();
    expect(tokens.read(shown.replace('.z.', '.zzzzzzzzzzz.'))).toBeNull();
  });

  it('G4: stay good for one change of key, and no longer', () => {
    const text = tokens.make({ verb: 'confirm', index: null, n: 9 }, '7');
    const next = createButtonTokens([Buffer.alloc(32, 8), key]);
    const last = createButtonTokens([Buffer.alloc(32, 9), Buffer.alloc(32, 8)]);
    const token = next.read(text);
    expect(token && next.ours(token, '7')).toBe(true);
    expect(token && last.ours(token, '7')).toBe(false);
    expect(next.make({ verb: 'confirm', index: null, n: 9 }, '7')).not.toBe(text);
  });

  it('G4: of an earlier version stay good as long as their key is', () => {
    expect(tokens.make({ verb: 'confirm', index: null, n: 35 }, '7')).toBe('a1.confirm.z.Rd4Axuuschg');
    expect(tokens.make({ verb: 'show', index: 12, n: 1_000 }, '-7')).toBe('a1.show12.rs.p81FTmcGy2C');
  });

  it('G4: with a tag of another length are refused', () => {
    const token = tokens.read(tokens.make({ verb: 'confirm', index: null, n: 9 }, '7'));
    if (!token) throw new Error('no token');
    for (const mac of ['', token.mac.slice(1), `${token.mac}A`])
      expect(tokens.ours({ ...token, mac }, '7'), mac).toBe(false);
  });

  it('refuses to make what would not fit', () => {
    for (const verb of ['', 'Arm', 'campaign give up', 'a'.repeat(33)])
      expect(() => tokens.make({ verb, index: null, n: 1 }, '7'), verb).toThrow('no token');
  });
});
