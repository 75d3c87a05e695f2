/** All routes of the board. Each answers a GET, and is given nothing that writes. */
import type { BoardAnswer, BoardPage, PageContext } from './board-context.ts';
import { nowAnswer } from './run-now.ts';
import { campaignPage, campaignsPage } from './pages/campaigns.ts';
import { diffPage } from './pages/diff.ts';
import { hunkAnswer, patchAnswer } from './pages/diff-parts.ts';
import { chartAnswer, csvAnswer, figuresPage } from './pages/figures.ts';
import { filmPage } from './pages/film.ts';
import { inboxPage } from './pages/inbox.ts';
import { logPage } from './pages/log.ts';
import { passkeysPage } from './pages/passkeys.ts';
import { pictureAnswer } from './pages/picture.ts';
import { runPage } from './pages/run.ts';

type BoardRoute = {
  method: 'GET';
  /** Below `/board` and `/board/app`; a part that begins with a colon is a parameter. */
  path: string;
  answer: (c: PageContext) => Promise<BoardPage | BoardAnswer | null>;
  /** It shows what is for one person alone. */
  personal?: true;
  /** It changes without an event of the ledger, so it is never kept. */
  fresh?: true;
};

export const BOARD_ROUTES: readonly BoardRoute[] = [
  { method: 'GET', path: '/', answer: inboxPage },
  { method: 'GET', path: '/run/:run', answer: runPage },
  { method: 'GET', path: '/run/:run/now', answer: nowAnswer, fresh: true },
  { method: 'GET', path: '/run/:run/film', answer: filmPage },
  { method: 'GET', path: '/run/:run/log/:attempt', answer: logPage },
  { method: 'GET', path: '/run/:run/diff', answer: diffPage, personal: true },
  { method: 'GET', path: '/run/:run/hunk', answer: hunkAnswer },
  { method: 'GET', path: '/run/:run/picture', answer: pictureAnswer },
  { method: 'GET', path: '/run/:run/change.patch', answer: patchAnswer },
  { method: 'GET', path: '/passkeys', answer: passkeysPage, personal: true },
  { method: 'GET', path: '/campaigns', answer: campaignsPage },
  { method: 'GET', path: '/campaign/:campaign', answer: campaignPage },
  { method: 'GET', path: '/figures', answer: figuresPage },
  { method: 'GET', path: '/figures.csv', answer: csvAnswer },
  { method: 'GET', path: '/figures.svg', answer: chartAnswer },
];
