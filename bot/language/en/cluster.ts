/** English texts for cluster cards. Plain text, not escaped. */
import { countWords } from '../../../orchestrator/model/text-format.ts';

export const enCluster = {
  asks: {
    open: (n: number) =>
      n === 1 ? 'Open this pull request?' : `Open these ${n} pull requests with the same change?`,
    push: (n: number) => (n === 1 ? 'Push this change?' : `Push the same change to ${n} repositories?`),
  },
  asksMixed: {
    open: (n: number) =>
      n === 1 ? 'Open this low-risk pull request?' : `Open these ${n} low-risk pull requests?`,
    push: (n: number) => (n === 1 ? 'Push this low-risk change?' : `Push these ${n} low-risk changes?`),
  },
  eachByItself: 'Each is a change of its own and is signed by itself. Diff has every byte.',
  over: 'DECIDED',
  decided: (n: number) => countWords(n, 'change', 'changes'),
  passed: (n: number, of: number) =>
    n === of ? `all checks passed in each of the ${of}` : `all checks passed in ${n} of ${of}`,
  each: (size: string, files: number) => `${size} in ${countWords(files, 'file', 'files')} each`,
  openAll: (n: number) => `open ${countWords(n, 'pull request', 'pull requests')}`,
  bothAll: (n: number) => `push the branches and open ${countWords(n, 'pull request', 'pull requests')}`,
  pushAll: (n: number) => `push ${countWords(n, 'change', 'changes')}`,
  around: (n: number) =>
    n === 1
      ? 'the lines around the change differ in one of them'
      : `the lines around the change differ in ${n} of them`,
  aroundAll: 'the lines around the change differ between the repositories',
  apart: (n: number) =>
    n === 1
      ? 'One more of this campaign is different and has its own card.'
      : `${n} more of this campaign are different and have their own cards.`,
  marks: '⟪name⟫ and the like: each repository’s own',
  more: (n: number) => `… and ${n} more: Show each`,
  moreGone: (n: number) => `… and ${n} more that cannot be decided here any more`,
  approve: (n: number) => `Approve ${n}`,
  confirm: (n: number) => `Confirm ${n}`,
  takeOut: 'Take one out',
  showEach: 'Show each',
  whichOut: 'TAKE OUT',
  whichEach: 'SHOW EACH',
  page: (at: number, of: number) => `page ${at}/${of}`,
  approved: (n: number) => `Recorded: ${n} approved.`,
  signed: (n: number) => `Recorded: ${n} signed. More signatures are needed.`,
  some: (n: number, not: number) => `Recorded: ${n} signed, ${not} not. See below.`,
  none: 'Nothing was approved. See below.',
  fell: (n: number) => (n === 1 ? 'One was not approved:' : `${n} were not approved:`),
  highAlone: 'High risk is approved on a card of its own.',
  nothing: 'Nothing on this card can be decided any more.',
  takenOut: (repo: string) => `Taken out: ${repo} has its own card now.`,
  file: (n: number) => `Every byte of ${countWords(n, 'change', 'changes')}`,
  unread: (repo: string) => `The change of ${repo} cannot be read now. Take it out, or try again later.`,
};
