/** Guards of the baseline: stops before the agent, excuses, and reuse of installations. */
import { never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const BASE: readonly Guard[] = [
  ...noticedBy(test('core/baseline'), [
    [
      'E19-offline-as-on-base',
      'a check whose installation was waived stays offline',
      swap('waived.some(', '[].some('),
    ],
    ['E15-stops-before-agent', 'what the machine lacks stops a run before its agent', never],
    ['E15-asked-before-spending', 'what a person must say comes before the base is run', never],
    ['E15-base-first', 'no agent starts while the base cannot be checked', without('hasPassingBaseline')],
    [
      'E15-asked-anew',
      'a retry asks the base again',
      swap("run.lifecycle.reason.kind === 'retried'", 'false'),
    ],
    ['E15-ends-the-same-way', 'what ends in another way is not excused', never],
    [
      'E15-red-before-is-excused',
      'what was red before is not blamed on the change',
      swap(', isBlockingCheck', ''),
    ],
    ['E15-luck-proves-nothing', 'a flaky check that passes proves nothing', without('flaky')],
    ['E15-red-alone-is-looked-at', 'a person looks where nothing is green', swap('proven', 'true')],
    [
      'E15-unnamed-is-looked-at',
      'a person looks where nothing is named',
      swap('escalateOpinion', 'noteOpinion'),
    ],
  ]),
  ...noticedBy(test('adapters/failing'), [
    ['E15-long-list-is-one-name', 'long lists are told apart', swap("found.join('\\n')", "''")],
  ]),
  ...noticedBy(test('slow/processes/installs'), [
    ['E15-kept-by-lockfile', 'another lockfile is another installation', swap('${oid}', '')],
    ['E15-whole-only', 'what may have been built is installed again', never],
    ['E15-installs-bounded', 'what is kept has a bound', swap('fits || age < IN_USE', 'true')],
  ]),
  ...noticedBy(test('slow/processes/leftovers'), [
    ['E15-fetched-by-the-same', 'another installation gets nothing', swap('isMarked(place, of) && ', '')],
  ]),
  ...noticedBy(test('core/discovery-own-scripts'), [
    [
      'E19-swallowed-failure',
      'a task that swallows its failures is no check',
      swap('checks.length > 0 &&', 'false &&'),
    ],
  ]),
  ...noticedBy(test('slow/processes/checks'), [
    ['E19-no-test-no-evidence', 'a check that ran no test has not passed', never],
  ]),
  ...noticedBy(test('core/claims'), [
    [
      'F11-closing-is-the-persons',
      'an issue that is only named is not closed',
      swap('said?.meant &&', 'said &&'),
    ],
    [
      'F11-whole-command',
      'a box needs the whole command',
      swap('parts.includes(plainCommand(name))', 'c.command.includes(name)'),
    ],
    ['F11-unmeasured-stays-open', 'what nobody measured stays open', swap(' || UNMEASURED.test(label)', '')],
  ]),
  ...noticedBy(test('core/denying-boxes'), [
    [
      'F11-tested-by-its-tests',
      'a change is called tested where its tests ran red before it',
      swap('isChangeTested(facts)', 'true'),
    ],
  ]),
  ...noticedBy(test('core/hidden-bans'), [
    [
      'E7-other-languages-asked',
      'what is said of AI in an unread language is asked about',
      swap("isInOtherLanguage(sentence) ? 'conditional' : null", 'null'),
    ],
    ['E7-lists-and-tables-asked', 'a list or table that refuses is asked about', never],
    [
      'E7-fenced-asked',
      'a ban in a fence is asked about',
      swap("? [{ kind: 'other', value: 'ai' }] : []", '? [] : []'),
    ],
  ]),
  ...noticedBy(test('core/rules-unseen'), [
    ['E7-files-asked', 'files that agents may not touch are asked about', never],
  ]),
  ...noticedBy(test('core/policies'), [
    ['E7-other-forms-of-bans', 'a ban in another form than `is not accepted` stops a run', never],
  ]),
  ...noticedBy(test('core/odd-templates'), [
    ['F11-whole-label', 'a box that says more than our facts stays open', never],
    [
      'F11-example-is-inert',
      'an example below a box acts on nothing',
      swap('findTextSignals(text).length > 0', 'false'),
    ],
    [
      'F11-all-lines-of-a-box',
      'a box says what all of its lines say',
      swap('wholeLabel(section.parts, at, part.label)', 'part.label'),
    ],
    ['F11-other-languages-open', 'no reason ticks a personal box in another language', never],
    ['F11-ai-answered-truly', 'nobody’s work is called a person’s, and no other tool’s', never],
    ['F11-no-claims-in-prose', 'a sentence of the template claims nothing for the sender', never],
    ['F9-template-read-whole', 'a template that is cut is said to be', never],
  ]),
  ...noticedBy(test('core/discovery-values'), [
    ['E7-target-without-value', 'a target that nobody gives its value is no check', never],
  ]),
  ...noticedBy(test('core/pull-checks'), [
    [
      'F14-refusals-said',
      'what a workflow refuses is a rule',
      swap('const rule of refused', 'const rule of refused.slice(0, 0)'),
    ],
    [
      'F14-told-alone',
      'a bot that closes what is silent holds nothing back',
      swap("TOLD_ALONE.includes(rule.value ?? '')", 'false'),
    ],
    [
      'F14-closer-before-work',
      'a workflow that closes pull requests is asked about before the work',
      swap("r.value === 'closer'", 'false'),
    ],
  ]),
  ...noticedBy(test('core/titles-of-changes'), [
    ['F9-title-of-change', 'a title says what changed before what was asked for', never],
  ]),
  ...noticedBy(test('core/real-templates'), [
    [
      'F11-issue-box',
      'a box that asks for the number of something else links no issue',
      swap('asksForIssue(part.label)', 'ISSUE_PLACEHOLDER.test(part.label)'),
    ],
    ['F11-ai-box-says-no-more', 'a box about a policy on AI is no disclosure', never],
    ['F11-ai-box-anywhere', 'a box about AI is ticked wherever it stands', never],
    [
      'F9-choices-asked',
      'a choice that nothing decides is asked of a person',
      swap('[choice.question]', '[]'),
    ],
    ['E19-ran-at-all', 'nothing is called run where nothing ran', swap('ran.length > 0', 'true')],
  ]),
  ...noticedBy(test('core/issue-words'), [
    [
      'F11-only-asked-closing',
      'a pull request closes without an alarm only what the order closes',
      swap('asked.includes(ref)', 'true'),
    ],
    [
      'F11-unmeant-disarmed',
      'words that only mention an issue close nothing',
      swap('meant.has(ref) ? all', 'true ? all'),
    ],
  ]),
  ...noticedBy(test('core/baseline'), [
    [
      'E19-installs-in-ci',
      'an installation that CI did is not called broken',
      swap('ciGreen ||', 'false ||'),
    ],
  ]),
  ...noticedBy(test('core/ci-versions'), [
    ['E19-version-unlike-ci', 'the base is not blamed for versions that its CI has not', never],
  ]),
  ...noticedBy(test('core/discovery-own-scripts'), [
    ['E7-tests-switched-on', 'CTest has tests to run', swap('option === undefined', 'true')],
    ['E7-makefile-there', 'make is not run without a Makefile', swap('!isConfigured(before)', 'false')],
    [
      'E7-own-manager-first',
      'another runtime is tried beside the own one',
      swap('isBeside(f.program)', 'false'),
    ],
  ]),
  ...noticedBy(test('core/environment-gap'), [
    [
      'E19-environment-gap-kept',
      'the base is not blamed for what the machine lacks',
      swap('then.environmentGap ?', 'false ?'),
    ],
    [
      'E19-not-run-says-why',
      'a check that was not run is told with its cause',
      swap('gapOfFailure(own)', 'null'),
    ],
    [
      'E19-untold-tests',
      'where files of tests are, it is not said that there is no check',
      swap('hasUndescribedTests(contract)', 'false'),
    ],
    ['E19-missing-program', 'a program that is not installed is named', never],
    ['E19-lack-before-version', 'what the output lacks is nearer than a version', never],
  ]),
  ...noticedBy(test('core/left-out-checks'), [
    [
      'E15-first-part-once',
      'what a check runs first is not run by itself, too',
      swap('!other.needs && isFirstPartOf(one, other)', 'false'),
    ],
    [
      'E19-untold-on-card',
      'where files of tests are, no card says that none was found',
      swap('hasUndescribedTests(run.target.contract)', 'false'),
    ],
  ]),
  ...noticedBy(test('adapters/box-hosts'), [
    [
      'E19-offline-or-not-run',
      'a check that may reach nothing is not run where nothing holds it off',
      swap('input.offline &&', 'false &&'),
    ],
  ]),
  ...noticedBy(test('core/without-install'), [
    [
      'E19-passes-without-install',
      'a check that passes without its installation counts',
      swap("outcome === 'passed'", 'exitCode === null'),
    ],
    [
      'E19-no-program-fetched',
      'a check that would fetch its program is not tried without its installation',
      swap('!mayFetchProgram(one.command)', 'true'),
    ],
    [
      'E19-reason-of-its-own-install',
      'a check is told by the installation that brings its program',
      swap('bringing ?', 'failed[0] ?'),
    ],
  ]),
  ...noticedBy(test('contracts/pulls-refused'), [
    ['F10-refused-before-work', 'nothing is begun where no pull request can be opened', never],
    ['F10-refused-before-push', 'nothing is pushed where no pull request can be opened', never],
  ]),
  ...noticedBy(test('core/red-first'), [
    [
      'E19-listed-tests-seen',
      'a pass of what a file lists proves nothing of new tests',
      swap('!LIST_RUNNERS.test(command) || paths.some(isNamed)', 'true'),
    ],
    [
      'E19-lists-of-tests',
      'a build file that gains more than tests stays out of the base',
      swap('gained.every((line) => /test|\\bspec/i.test(line))', 'true'),
    ],
    ['E19-not-loaded-is-not-red', 'tests that do not load on the base were not red there', never],
    [
      'E19-red-by-its-own-tests',
      'a failure of other tests shows nothing of those of the change',
      swap('failElsewhere(result, paths)', 'false'),
    ],
    [
      'E19-unrun-tests-told',
      'tests that no check runs are told',
      swap('!runs.some((command) => canRunnerFindTests(command, [path]))', 'false'),
    ],
    [
      'E19-looks-are-no-tests',
      'a look at tests runs none',
      swap('!/(?:^| )(?:lint|format|types)$/.test(name)', 'true'),
    ],
    [
      'E19-red-first-said',
      'only what failed on the base was red first',
      swap("commandsThat(checks, 'fails'", "commandsThat(checks, 'passes'"),
    ],
  ]),
  ...noticedBy(test('core/listing-commands'), [
    ['E19-listing-by-setting', 'a variable that switches the tests off is an option', never],
    ['E19-listing-no-evidence', 'a command that only lists has not passed', never],
    ['E19-told-to-pass-no-evidence', 'a command that cannot fail has not passed', never],
  ]),
  ...noticedBy(test('core/counted-failures'), [
    ['E19-failures-not-passed', 'tests that fail below an exit code of 0 have not passed', never],
  ]),
  ...noticedBy(test('core/tools'), [
    ['E19-findings-not-passed', 'what only prints its findings has not passed with them', never],
  ]),
  ...noticedBy(test('adapters/environment'), [
    ['E19-language-of-ci', 'programs print in the language of CI', swap("'C.UTF-8'", "''")],
  ]),
  ...noticedBy(test('contracts/no-tests'), [
    ['E19-tests-gone-block', 'tests that the change took away block it', without("'tested'")],
  ]),
  ...noticedBy(test('slow/stories/base'), [
    ['E15-registry-is-no-test', 'no agent is asked to fix what a registry did', never],
    ['E15-ordered-never-excused', 'a check that a person ordered is never excused', never],
  ]),
];
