/** Finds what sends contributions elsewhere: a mirror, a review system, a mailing list. */
import { matchesOf } from '#model/values';
import type { FoundRule, OwnAddress, RulePassage } from './rule-passage.ts';

const PULLS = String.raw`(?:github )?(?:pull[- ]?requests?|PRs)`;
const HERE = String.raw`(?:here|there|on github|(?:in|to|on|at|against|from|via|through) (?:this|the) (?:\w+ ){0,2}(?:repo(?:sitory)?|mirror)|(?:via|through) github)`;
const US =
  '(?:we|i|(?:this|the|our) (?:project|repository|repo|library|program|package|tool|software)|the maintainers?)';
const NO_LONGER =
  "(?:(?:do|does|will|can)(?: not|n't)|cannot|no longer|(?:am|is|are)(?: not|n't| no longer)(?: currently)?) (?:accepts?|accepting|takes?|taking|open to|merging?)";
const TAKEN = '(?:pull[- ]?requests|PRs|(?:code )?contributions|patches)';
const NOW =
  '(?: (?:at (?:this time|the moment|present)|right now|now|yet|currently|for now|any ?more|at all)){0,2}';
/** Says of some who send, not of everybody. */
const OF_OTHER_PEOPLE =
  /\b(?:agents|bots|accounts|spammers|newcomers|beginners|(?:first[- ]time|new) contributors)\b (?:may|can|must|should|are|do|will)(?:not|n't| not)\b/i;
/** The beginning of a clause: `please report bugs, and pull requests are not looked at`. */
const CLAUSES = /[,;:]\s+(?:(?:and|but|so)\s)?|\s[-–—]\s|\s(?:and|but|so)\s/g;
const HAS_VERB =
  /^\W*(?:please|report|send|open|use|run|see|read|mail|submit|post|do|don't|clone|fork)\b|\b(?:is|are|was|were|be|has|have|do|does|will|can|should|must|may|goes?|happens|takes?|lives?)\b|\b(?:sorry|unfortunately|currently|note|warning|important|now|moment|time|present|mirror|archived?)\W*$/i;
/** `Issues and pull requests are disabled` tells of both; `Stale issues and pull requests …` of stale ones. */
const ALL_OF_THEM =
  /^\W*(?:(?:any|all|github|please note that) )*(?:(?:bug )?(?:issues|reports|patches|discussions|commits|tickets|comments|wikis?|forks)(?:,? |$)){1,4}$/i;
const UNDER_CONDITION = String.raw`(?!\W*\b(?:if|when|whenever|while|where|unless(?! (?:\w+ly )?(?:asked|instructed|invited|requested|told)\b)|until|once|except|without|before|after|that|which|who|for|by)\b)`;
/** All that may stand behind a refusal of everything. Other words limit it: `not reviewed on weekends`. */
const REFUSAL_ENDS = String.raw`(?=${NOW}(?: ${HERE})?${NOW}(?:\W*$|[.,;:)!] ?${UNDER_CONDITION}| [-–—(]|,? (?:because|since|and|but|so|as (?:we|they|it|this|the))\b${UNDER_CONDITION}))`;
const MADE = '(?:opened |sent |made |submitted |raised |created )';
const SUBJECT = String.raw`^\W*(?:please note(?: that)?:? |note(?: that)?:? )?(?:any |all )?${PULLS}`;
const BECOME = String.raw`(?:(?:are|is|will|should|get|have been)(?: be)? )?(?:\w+ly )?`;
const REFUSED_CLAUSES: readonly RegExp[] = [
  new RegExp(
    String.raw`${SUBJECT}(?: ${MADE}?${HERE})? ${BECOME}(?:(?:not|never|no longer)(?: be)? (?:\w+ly )?(?:accepted|looked at|read|reviewed|monitored|considered|used)|disabled|avoided|ignored|closed automatically|automatically closed)${REFUSAL_ENDS}`,
    'i',
  ),
  new RegExp(String.raw`${SUBJECT} ${MADE}?${HERE} ${BECOME}(?:closed|rejected)${REFUSAL_ENDS}`, 'i'),
];
const refusesPulls = (plain: string): boolean =>
  !/\b(?:unless|until|if)\b/i.test(plain) &&
  [
    { index: 0, end: 0 },
    ...matchesOf(plain, CLAUSES).map(({ index, 0: border }) => ({ index, end: index + border.length })),
  ].some(({ index, end }, i, all) => {
    const before = plain.slice(all[i - 1]?.end ?? 0, index).trim();
    return (
      (before === '' || HAS_VERB.test(before) || ALL_OF_THEM.test(before)) &&
      REFUSED_CLAUSES.some((says) => says.test(plain.slice(end)))
    );
  });
const NOT_HERE: readonly RegExp[] = [
  new RegExp(
    String.raw`(?:\b(?:do not|never|cannot|no longer|will not|not)\b|n't\b)[^.;]{0,20}\b(?:submit|open|send|creat|mak|fil|accept|us|tak|review|monitor|merg|process|read)\w*\b[^.;]{0,12}\b${PULLS}\b[^.;]{0,12}\b${HERE}\b${UNDER_CONDITION}`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:do|does) not use (?:the )?github(?:\.com)? for (?:\w+ ){0,2}(?:contributions?|development|code (?:reviews?|submissions?)|pull[- ]?requests?|patches|merg\w+)\b(?! questions?\b)`,
    'i',
  ),
  new RegExp(
    String.raw`^\W*(?:(?:sorry|unfortunately|currently|note that)\b,? )?${US} ${NO_LONGER} (?:any |external |outside |public )*${TAKEN}(?:,? (?:(?:or|and) )?(?:patches|merges|changes|PRs)){0,3}(?: from (?:the public|outside|others|anyone))?${NOW}\W*$`,
    'i',
  ),
  /^\W*(?:this|the) (?:project|repository|repo) (?:is|has been) (?:now )?archived\W*$/i,
  /\bread[- ]only (?:git(?:hub)? )?(?:mirror|(?:sub-?)?(?:tree )?split)\b/i,
];
const SYSTEM = String.raw`(gerrit|phabricator|mailing[- ]list|gitlab|codeberg|sourcehut|launchpad|main \S+ repository|upstream repository)`;
const NAMES_SYSTEM = new RegExp(SYSTEM, 'i');
const PROPOSALS = String.raw`(?:patch(?:es)?|(?:code )?contributions?|merge requests?|pull[- ]?requests?|code reviews?)`;
const CHANGES = String.raw`(?:${PROPOSALS}|diffs?|(?:code )?changes?)`;
const CODE_HOSTS = String.raw`gerrit|phabricator|gitlab|codeberg|sourcehut|sr\.ht|launchpad|savannah|bitbucket|gitee|googlesource`;
const FOREIGN_HOST = `(${CODE_HOSTS}|mailing[- ]list)`;
const MAIL = String.raw`((?:[\w.+-]+\/)?[\w.+-]+@(?!(?:\w+\.)?github\.)[\w-]+(?:\.[\w-]+)+)`;
const SITE = String.raw`https?:\/\/(?!(?:\w+\.)?github\.)([\w-]+(?:\.[\w-]+)+)`;
/** A website keeps no code unless its name says so: changes are also posted to forums and to places that test them. */
const CODE_SITE = String.raw`(?=https?:\/\/[\w.-]{0,60}?\b(?:git|gitweb|cgit|code|src|source|scm|svn|repos?|reviews?|forge|projects|gitea|forgejo|pagure|${CODE_HOSTS})\b)${SITE}`;
/** `to test it`, `if it is large`: sent there for another purpose than to be taken. */
const TO_BE_TAKEN = String.raw`(?!\S{0,200} (?:to (?!(?:be|contribute)\b)|if (?!you (?:want|wish|would|have)\b)|for (?!(?:review|inclusion|merging|consideration)\b)|so\b))`;
const OUTSIDE = String.raw`(?:${SITE}|${MAIL})`;
const CODE_OUTSIDE = String.raw`(?:${CODE_SITE}|${MAIL})`;
const IS_OUTSIDE = new RegExp(OUTSIDE, 'i');
const SENT_OUTSIDE: readonly RegExp[] = [
  [PROPOSALS, OUTSIDE] as const,
  [CHANGES, CODE_OUTSIDE] as const,
].flatMap(([sent, place]) => [
  new RegExp(
    String.raw`\b(?:send|submit|post|mail|e-?mail|propose|open)\b[^.;,]{0,30}\b${sent}\b[^.;,]{0,30}? (?:to|at|on) (?:the |our )?${place}${TO_BE_TAKEN}`,
    'i',
  ),
  new RegExp(
    String.raw`\b${sent}\b(?![^.;]{0,20}\b(?:docs|documentation|website|wiki)\b)[^.;]{0,20}\b(?:go|goes|are made|are sent|are submitted|are opened|belong)\b[^.;]{0,20}? (?:to|at|on) (?:the |our )?${place}${TO_BE_TAKEN}`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:contributions|changes|patches) are (?:made|sent|submitted) as ${sent} (?:to|at|on) ${place}`,
    'i',
  ),
]);
const LIVES_OUTSIDE = new RegExp(
  String.raw`\b(?:development|(?:this |the )?project|repository|source code) (?:has |have )?(?:now )?(?:moved|takes place|happens|lives) (?:to|on|at) ${CODE_OUTSIDE}${TO_BE_TAKEN}`,
  'i',
);
const SENT_ELSEWHERE: readonly RegExp[] = [
  new RegExp(
    String.raw`\b${CHANGES}\b[^.;]{0,20}\b(?:must|should|have to|need to|are to|are|go|goes)\b[^.;]{0,30}\b(?:to|through|via|on|in|at|using)\b (?:the |our |a )?(?:[\w.@-]+ )?${SYSTEM}\b`,
    'i',
  ),
  new RegExp(
    String.raw`(?:^\W*|\b(?:please|must|should|to) )(?:send|submit|post|mail|e-?mail|upload|propose|open|report issues and send)\b[^.;]{0,30}\b${CHANGES}\b[^.;]{0,20}\b(?:to|through|via|on|in|at|using)\b (?:the |our |a )?(?:[\w.@-]+ )?${SYSTEM}\b`,
    'i',
  ),
];
/** Projects say by these words that they live elsewhere. Each row has an example, and one that only sounds like it. */
export const PLACES: readonly { says: RegExp; example: string; counter: string }[] = [
  {
    says: /\b(?:we|project|development)\b[^.;]{0,20}\buses? (gitlab|codeberg|sourcehut|launchpad|gitee|phabricator) for (?:code hosting|hosting (?:the |its |our )?code|code reviews?|development|merge requests|patches)\b/i,
    example: 'The GLib project uses GitLab for code hosting and for tracking issues.',
    counter: 'The project uses GitLab for its nightly runners.',
  },
  {
    says: new RegExp(
      String.raw`\b(?:we|project|repository|development|openstack|go|team|contributions?|changes|reviews?)\b[^.;]{0,40}\b(?:uses?|using|through|via|done (?:on|in|with)|managed (?:on|in|with)|handled (?:on|in|by))\b (?:the |our |an? )?(?:\S+ )?(gerrit|phabricator)\b[^.;]{0,40}\b(?:reviews?|contribut\w*|submi\w*|patch(?:es)?|changes|development|workflow)\b`,
      'i',
    ),
    example: 'The Go project uses Gerrit for code reviews.',
    counter: 'The parser reads changes of Gerrit.',
  },
  {
    says: new RegExp(
      String.raw`\b(?:development|(?:main|canonical|primary|official|upstream|git|source)(?: code| git)? (?:repository|repo)|source code|project)\b[^.;]{0,30}\b(?:happens|takes place|is done|lives|is hosted|is located|is developed|has moved|moved|is (?:now )?(?:at|on)|is(?: now)?(?=:? (?:https?:|git@)))\b[^.;]{0,30}?(?<!\bmirror[^.;]{0,30})(?:\b|[/.])${FOREIGN_HOST}\b`,
      'i',
    ),
    example: 'Development happens on GitLab at https://gitlab.gnome.org/GNOME/glib.',
    counter: 'The project is tested on Linux, and its CI uses gitlab runners.',
  },
  {
    says: /\b(?:this|the) (?:git(?:hub)? )?(?:repo(?:sitory)?|project|page|copy)\b[^.;]{0,30}\b(?:is|are|serves as) (?:only |just |merely |an? |the ){0,2}(?:\w+[- ]){0,2}(mirror)\b(?! (?:image|of the (?:docs|website)))/i,
    example: 'This repository is a mirror of the official one.',
    counter: 'The page is cached by a mirror of PyPI.',
  },
  {
    says: /^\W*(?:public |read-only |official |git |github |conversion )*(mirror) of (?:https?:|(?:\S+ ){0,4}(?:official|upstream|repository|repo|cvs|svn)\b)|^\W*(?:this is a )?(?:read-only )?github (mirror)\W*$/i,
    example: "Public git conversion mirror of OpenBSD's official CVS src repository.",
    counter: 'Mirror of a package index in one command.',
  },
  {
    says: /\b(?:this|the) (?:git(?:hub)? )?(?:repo(?:sitory)?|project) (mirror)s (?:https?:|the (?:official |upstream |main |original ){1,2}(?:\w+ )?(?:repo(?:sitory)?|tree|git|svn|sources?)\b)/i,
    example: 'This GitHub repository mirrors https://projects.blender.org/blender/blender.',
    counter: 'This project mirrors folders between two machines.',
  },
  {
    says: /\byou are (?:looking at|reading|browsing) (?:a|the|our) (?:\w+ )?(mirror)\b(?! \w)|\bgithub is (?:only |just |merely )?(?:a |our )(?:read-only )?(mirror)\b/i,
    example: 'If you are reading this on GitHub, then you are looking at a mirror.',
    counter: 'You are looking at the mirror code.',
  },
  {
    says: /^\W*[\w.+-]+ uses (gerrit|phabricator) for (?:all |its )?(?:code )?reviews?\b/i,
    example: 'Qt uses Gerrit for all code review.',
    counter: 'The bot uses Gerrit for its login.',
  },
  {
    says: /\bwe (?:work|develop) (?:on|at|in) (codeberg|gitlab|sourcehut|gitee|gerrit)\b(?! \w)/i,
    example: 'We work on Codeberg.',
    counter: 'We work on GitLab support.',
  },
];
const OPEN =
  /\b(?:or|also|either|optional\w*|alternativ\w*|prefer|can|may|maintainers?|security|vulnerab\w*|translat\w*|issues? (?:on|in|to)|questions?|discuss\w*)\b/i;
const OF_OTHERS = /\bsecurity\b|\bvulnerab\w*|\btranslat\w*|\bmaintain(?:er|ing)\b|\breleas/i;

const UNTOLD =
  /\b(?:unless|until|without being) (?:\w+ ){0,2}?(?:explicitly |specifically )?(?:instructed|asked|told|requested|directed)\b/i;

const WELCOMED = new RegExp(
  String.raw`\b(?:open|submit|create|send|make|issue|raise|file)\b[^.;\n]{0,20}\b${PULLS}\b|\b${PULLS} (?:are )?(?:very )?welcome\b`,
  'gi',
);
const OUTRIGHT = 'not here';

const withOwnHost = (text: string, { host = 'github.com' }: OwnAddress): string =>
  text.replace(/[\w-]+(?:\.[\w-]+)+/g, (name) => (name === host ? 'github.com' : name));
const NOT_OPEN = new RegExp(
  String.raw`^\W*(?:(?:please note(?: that)?|although|while|however),? )?(?:${US}|([\w.+-]+))? ?(?:is|are)? ?(?:open[- ]source,? ?(?:and|but)? ?(?:is |are )?)?not open[- ]contributions?\b`,
  'i',
);
const normaliseName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
/** A guide may name others for comparison: `SQLite is open source, not open contribution.` */
const isNotOpen = (plain: string, { repo = '' }: OwnAddress): boolean => {
  const found = NOT_OPEN.exec(plain);
  if (!found) return false;
  const [, name] = found;
  return name === undefined || repo.split('/').some((part) => normaliseName(part) === normaliseName(name));
};

export const elsewhereRule = ({ plain: said, heading, forAgents, own }: RulePassage): FoundRule | null => {
  const plain = withOwnHost(said, own);
  if (OF_OTHERS.test(`${heading} ${plain}`) || plain.length > 400) return null;
  if (forAgents && UNTOLD.test(plain)) return null;
  const refuses = (): boolean =>
    refusesPulls(plain) || isNotOpen(plain, own) || NOT_HERE.some((says) => says.test(plain));
  if (!OF_OTHER_PEOPLE.test(plain) && refuses()) return { kind: 'elsewhere', value: OUTRIGHT };
  const system = [...SENT_ELSEWHERE, ...PLACES.map(({ says }) => says), ...SENT_OUTSIDE, LIVES_OUTSIDE]
    .map((says) => says.exec(plain)?.slice(1).find(Boolean))
    .find((name) => name !== undefined);
  return system === undefined || OPEN.test(plain.replace(/\busing\b.{0,80}$/, ''))
    ? null
    : { kind: 'elsewhere', value: system.toLowerCase().replace('mailing-list', 'mailing list') };
};

export const welcomesPulls = (file: string, value: string | undefined, own: OwnAddress): boolean => {
  if (value === OUTRIGHT) return false;
  const text = withOwnHost(file.replace(/\s+/g, ' '), own);
  return matchesOf(text, WELCOMED).some(
    ({ index, 0: said }) =>
      !/\b(?:not|never|no|instead of|rather than)\b|n't\b/i.test(
        text.slice(Math.max(0, index - 30), index),
      ) && ![NAMES_SYSTEM, IS_OUTSIDE].some((one) => one.test(text.slice(index, index + said.length + 60))),
  );
};
