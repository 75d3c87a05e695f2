/** Pages for people without a session. */
import type { LanguageTexts } from '#language';
import type { BoardAnswer } from '../board-context.ts';
import { html } from '../markup.ts';
import { APP_BASE, messagePage } from '../page-frame.ts';

type Where = { words: LanguageTexts; base: string };

/** A cookie for this site alone is missing after a click elsewhere, but not after one here. */
export const signInPage = (where: Where, url: URL): BoardAnswer => {
  const { signIn } = where.words.board;
  return messagePage(where, {
    status: 401,
    title: signIn.title,
    says: [where.base === APP_BASE ? signIn.reopen : signIn.how],
    link: html`<p><a class="quiet" href="${url.pathname}${url.search}">${signIn.again}</a></p>`,
  });
};

/** Somebody who has a session may come from another site, without its cookie. */
export const linkAlreadyUsedPage = (where: Where): BoardAnswer => {
  const { signIn } = where.words.board;
  return messagePage(where, {
    status: 403,
    title: signIn.title,
    says: [signIn.used],
    link: html`<p><a class="quiet" href="${where.base}/">${signIn.there}</a></p>`,
  });
};

/** `token` is null once it was used: the page then goes on by itself, as a redirect would lose the cookie. */
export const enterPage = (where: Where, token: string | null, then = '/'): BoardAnswer => {
  const { signIn } = where.words.board;
  const to = token === null ? `${where.base}${then}` : `${where.base}/enter/${token}/confirmed`;
  const page = messagePage(where, {
    status: 200,
    title: token === null ? signIn.opens : signIn.go,
    says: token === null ? [] : [signIn.confirm],
    link: html`<p><a class="button" href="${to}" rel="nofollow">${signIn.go}</a></p>`,
  });
  return token === null ? { ...page, headers: { refresh: `0;url=${to}` } } : page;
};

export const appPage = (where: Where): BoardAnswer => {
  const { signIn } = where.words.board;
  return messagePage(where, {
    status: 200,
    title: signIn.opens,
    says: [],
    link: html`<p id="reopen" hidden>${signIn.reopen}</p>
      <p id="expired" hidden>${signIn.expired}</p>`,
    opensApp: true,
  });
};
