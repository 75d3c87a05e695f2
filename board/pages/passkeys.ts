/** A person's own keys, and where a new one is registered (G11). */
import { fingerprintOf, registrationOptions } from '#passkeys';
import type { BoardPage, PageContext } from '../board-context.ts';
import { toJsonAttribute, html } from '../markup.ts';
import { timeMark } from '../run-parts.ts';

export const passkeysPage = async (context: PageContext): Promise<BoardPage | null> => {
  const { keys } = context.parts;
  const { passkeys: t } = context.words.board;
  const at = keys?.origin() ?? null;
  if (!keys || !at || context.base !== '/board') return null;
  const { id, registers } = context.visitor;
  const known = (await keys.passkeys.of(id))?.keys ?? [];
  const asked =
    registers && (await registrationOptions({ passkeys: keys.passkeys, user: id, at, ...registers }));
  const body = html`<div class="head"><h1>${t.title}</h1></div>
    <p class="prose">${t.about}</p>
    ${
      known.length === 0
        ? html`<p class="none" id="no-key">${t.none}</p>`
        : html`<ul class="plainlist keys">
            ${known.map(
              (key) =>
                html`<li>
                  <code>${fingerprintOf(key.publicKey)}</code>
                  <span class="quiet"
                    >${timeMark(key.at, context)} ·
                    ${key.synced ? t.synced : t.device}${key.rpId === at.rpId ? '' : ` · ${t.elsewhere(key.rpId)}`}</span
                  >
                </li>`,
            )}
          </ul>`
    }
    ${
      asked
        ? html`<section
            class="part"
            id="register"
            data-failed="${t.failed}"
            data-unsupported="${t.unsupported}"
          >
            <button class="button primary" type="button" id="register-key">${t.register}</button>
            <p id="register-says" class="says" role="status"></p>
            <div id="register-asked" data-asked="${toJsonAttribute(asked)}" hidden></div>
          </section>`
        : html`<p class="none">${t.fromChat}</p>`
    }`;
  return { title: t.title, body, asksKey: asked !== undefined };
};
