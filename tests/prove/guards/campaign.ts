/** Guards of campaigns: pace, limits, and fidelity to the plan. */
import { gone, never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const CAMPAIGN: readonly Guard[] = [
  ...noticedBy(test('core/campaign-tally'), [
    ['F5-question-is-no-failure', 'a run that asks a person has not failed', never],
  ]),
  ...noticedBy(test('core/campaign-pace'), [
    ['F5-campaign-stops', 'a campaign that fails too often stops', never],
    ['F5-canary-first', 'nothing is begun while a step is not settled', never],
    [
      'F5-one-in-a-repository',
      'no run is begun where another one of ours is at work',
      swap('!busy.has(repo)', 'true'),
    ],
    [
      'F5-ci-queue',
      'nothing is begun where too many of ours wait for a machine',
      swap('!queued.has(ownerKeyOf(repo))', 'true'),
    ],
    ['F5-working-hours', 'nothing is begun out of the hours that were asked for', never],
    ['F5-shut-out-of-all', 'where nothing lets us in any more, it stops', never],
    ['E6-campaign-limits', 'no more runs are open than a campaign may have', never],
    [
      'F5-unseen-keeps-no-place',
      'a pull request that is not to be seen keeps no place',
      swap('isHoldingPlace', '({ over }) => !over'),
    ],
  ]),
  ...noticedBy(test('core/campaign-arrives'), [
    ['F5-one-for-an-issue', 'an issue has one preview at a time', never],
    [
      'F5-arrivals-bounded',
      'no more of one source is shown than a day may have',
      swap('today >= perDay', 'false'),
    ],
    ['F5-schedule-begins-nothing', 'a schedule begins no run itself', never],
    ['F5-due-once', 'a time that was shown is not shown again', never],
  ]),
  ...noticedBy(test('contracts/campaigns'), [
    [
      'F5-out-is-no-failure',
      'what happened to a repository is no failure of the change',
      swap('isOfRepository(reason.class)', 'false'),
    ],
  ]),
  ...noticedBy(test('contracts/campaign-lessons'), [
    ['F5-lesson-kept', 'what was said is a lesson after its round as well', gone],
    ['F5-taught-not-own', 'who was only taught teaches nothing', swap('taught ?', 'false ?')],
    [
      'F5-lesson-to-those-shown',
      'a lesson is told to those that its button counted',
      swap('shown.runs.filter((id) => open.includes(id))', '[...open]'),
    ],
  ]),
  ...noticedBy(test('contracts/dependency-layers'), [
    [
      'F5-after-its-link',
      'nothing is begun before what it comes after',
      swap("states.get(repo.toLowerCase()) === 'ready'", 'true'),
    ],
    ['F5-hostile-tag', 'a tag that a shell could read is used nowhere', swap('SAFE_TAG.test(tag)', 'true')],
    ['F5-link-known', 'nothing comes after what is not in the file', never],
    ['F5-link-circle', 'nothing waits in a circle', never],
  ]),
  ...noticedBy(test('contracts/clusters', 'two waves'), [
    ['F5-a-card-per-wave', 'a card decides one wave', swap('wave > 0', 'wave > 99')],
  ]),
  ...noticedBy(test('contracts/campaign-undo'), [
    ['F5-undo-in-reverse', 'what came last is taken back first', swap('after.length > 0', 'false')],
    ['F5-undo-same-checks', 'a revert runs the checks of its campaign', swap('run.order', '{ checks: [] }')],
    [
      'G3-undo-closes',
      'what closes pull requests is an approver’s tap',
      swap("'campaign.start_undo'", "'campaign.start'"),
    ],
  ]),
  ...noticedBy(test('slow/processes/revert-pull'), [
    ['F5-revert-whole', 'a part of a pull request is never taken for the whole', never],
    ['F5-revert-of-base', 'only what the base holds is reverted', never],
  ]),
  ...noticedBy(test('slow/processes/revert-round'), [
    ['F5-no-script-reverts', 'a script never settles a revert', never],
  ]),
  ...noticedBy(test('processes/fill'), [
    [
      'F5-one-word',
      'a variable that cannot be quoted comes to no command',
      swap('!write', 'false && !write'),
    ],
  ]),
  ...noticedBy(test('contracts/campaign-questions'), [
    [
      'F5-bans-weighed-singly',
      'what may be a ban is weighed by its own words',
      swap('mayBan(wish) ?', 'false ?'),
    ],
    [
      'F5-answers-what-is-read',
      'what has no room on a card has no button on it',
      swap('!isRead[index]', 'false'),
    ],
    [
      'F5-some-ask-alone',
      'some questions are never asked together',
      swap("wish.rule === 'base_branch'", 'true'),
    ],
    [
      'F5-answers-what-was-shown',
      'a tap answers what its card showed',
      swap('words.get(run) === JSON.stringify(wishes)', 'words.get(run) !== undefined'),
    ],
    ['S6-questions-ring-again', 'what nobody answers rings again', swap('waits', 'false')],
  ]),
  ...noticedBy(test('processes/forge'), [
    ['F5-archived-told', 'a repository that was archived is known as that', never],
  ]),
  ...noticedBy(test('adapters/hooks'), [
    [
      'F5-hook-signature',
      'a call that was not signed with a secret of its webhook is none',
      swap('head.isSigned(body.pieces)', 'true'),
    ],
    ['F5-item-once', 'an item of another program makes one preview', swap('mapped.id', 'body')],
    ['F2-hook-name-signed', 'a call that was signed for one webhook is none of another', never],
    [
      'F5-calls-in-turn',
      'calls at once are no more than a day may have',
      swap('last.get(name) ?? Promise.resolve()', 'Promise.resolve()'),
    ],
    ['G5-script-in-file', 'nobody brings a script by a webhook', never],
  ]),
  ...noticedBy(test('contracts/labelled'), [
    ['F5-labelled-by-writer', 'a label counts that somebody gave who may write', never],
  ]),
  ...noticedBy(test('contracts/campaign-arrives'), [
    ['F5-arrivals-told-once', 'why there is no preview is told once a day', never],
    ['F5-previews-expire', 'a preview that nobody starts is closed', never],
  ]),
  ...noticedBy(test('core/queue'), [
    ['E6-campaign-budget', 'runs of a campaign have a budget of their own', without('ofCampaign.has(runId)')],
  ]),
  ...noticedBy(test('contracts/audit-tampering'), [
    ['L5-campaign-rows', 'an order that somebody changed is found', never],
    ['L5-campaign-order', 'nothing is done for an order that somebody changed', never],
  ]),
  ...noticedBy(test('adapters/sqlite', 'S4: a decision about a campaign'), [
    ['L6-campaign-moved', 'what was concluded from an earlier standing is not decided', never],
  ]),
  ...noticedBy(test('contracts/campaign-closing'), [
    ['F5-close-ours', 'a pull request that is no longer ours stays open', never],
  ]),
  ...noticedBy(test('contracts/campaigns'), [
    ['G3-approvers-subset', 'nobody approves by being named who may not approve anyway', never],
    ['G3-approvers-left', 'a campaign that nobody may approve any more stops', never],
    ['F5-pilot', 'an agent does not begin with all repositories at once', never],
    ['L5-named-approvers', 'a run that names other approvers than its campaign is found', never],
    ['L8-file-size', 'a file that is too large is not fetched', never],
    ['G5-script-at-host', 'nobody brings a script from the chat', never],
  ]),
];
