/** Shapes of real templates beside the fixtures: their kinds of boxes, tables, languages and traps. */
const boxes = (...labels: string[]): string => labels.map((label) => `- [ ] ${label}`).join('\n');

const HUGE = `## Description\n\n${'<!-- Please write in the imperative and keep it short. -->\n'.repeat(1_200)}\n## Checklist\n\n${boxes('Tests added')}\n`;

export const MORE_TEMPLATES: Readonly<Record<string, string>> = {
  rust: `<!-- If this PR is related to an issue, write "r? @user" or "Fixes #NNNN" below. -->\n`,
  flutter: `*List which issues are fixed by this PR.*\n\n## Pre-launch Checklist\n\n${boxes('I read the [Contributor Guide] and followed the process outlined there.', 'I listed at least one issue that this PR fixes in the description above.', 'I updated/added relevant documentation (doc comments with `///`).', 'I added new tests to check the change I am making, or this PR is [test-exempt].', 'All existing and new tests are passing.', 'I followed the [breaking change policy] and added [Data Driven Fixes].', 'I signed the [CLA].')}\n`,
  homebrew: `${boxes('Have you followed the guidelines in our [Contributing](https://x) document?', 'Have you checked that there are not other open pull requests for the same change?', 'Have you added an explanation of what your changes do?', 'Have you written new tests for your changes?', 'Have you successfully run `brew lgtm` locally?', 'AI was used to generate or assist with generating this PR. *Describe how.*')}\n`,
  symfony: `| Q             | A\n| ------------- | ---\n| Branch?       | 7.2\n| Bug fix?      | yes/no\n| New feature?  | yes/no\n| Deprecations? | yes/no\n| Issues        | Fix #...\n| License       | MIT\n`,
  wordpress: `## What?\n\n## Why?\n\n## How?\n\n## Testing Instructions\n1. Open a post or page.\n2. Insert a heading block.\n\n### Testing Instructions for Keyboard\n\n## Screenshots or screencast\n\n|Before|After|\n|-|-|\n|Before|After|\n`,
  spring: `<!--\nThanks for contributing. Please sign off your commits.\n-->\n`,
  kafka: `### Committer Checklist (excluded from commit message)\n${boxes('Verify design and implementation', 'Verify test coverage and CI build status', 'Verify documentation (including upgrade notes)')}\n`,
  dotnet: `Fixes #\n\n## Checklist\n${boxes('Unit tests added', 'I have tested on Windows, Linux and macOS', '100 % code coverage', 'Integration tests pass')}\n`,
  kotlin: `## Summary\n\n## Checks\n\n${boxes('`./gradlew check` passes', '`./gradlew apiCheck` passes', 'Public API is unchanged', 'Binary compatibility is kept')}\n`,
  commands: `## What\n\n## Before you submit\n\n${boxes('`npm test` is green', '`npm run test` is green', '`test` passes', '`npm` passes', '`pytest` passes', '`go test ./...` passes', '`make test` passes', '`npm run lint` passes on all platforms')}\n`,
  personal: `## Checklist\n\n${boxes('I have read the contributing guide', 'I wrote this myself, without AI', 'I understand every line of this change', 'I have tested it manually in production', 'I agree to the code of conduct', 'My employer allows this', 'I have searched for duplicates', 'I am the author of this code')}\n`,
  measured: `## Checklist\n\n${boxes('Tests pass and coverage does not decrease', 'Benchmarks show no regression and tests pass', 'The new tests fail without this change', 'No new warnings', 'Works in Safari, Chrome and Firefox', 'Accessibility was checked', 'Translations are up to date', 'Rebased on the latest main')}\n`,
  closing: `## Fixes\n\nCloses #\n\n${boxes('Fixes #xxxx', 'Resolves #')}\n\n**Fixes:** \n\nRelated to: \n`,
  fixed: `Fixes: \n\n| Tickets | Fixes #\n| --- | ---\n| Bug fix | yes/no\n`,
  japanese: `## 概要\n\n## 変更内容\n\n## テスト\n\n${boxes('テストを追加した', '手動で確認した', 'Windowsで動作を確認した', 'ドキュメントを更新した')}\n`,
  chinese: `### 这个变动的性质是？\n\n${boxes('新特性提交', '日常 bug 修复', '站点、文档改进', '测试用例')}\n\n### 请求合并前的自查清单\n\n${boxes('文档已补充或无须补充', '测试已通过', '已在所有浏览器中验证', 'Changelog 已提供或无须提供')}\n`,
  portuguese: `## Descrição\n\n## Tipo de mudança\n\n${boxes('Correção de bug', 'Nova funcionalidade', 'Documentação')}\n\n## Checklist\n\n${boxes('Testei localmente', 'Li o guia de contribuição', 'Os testes passam')}\n`,
  german: `## Beschreibung\n\n## Checkliste\n\n${boxes('Ich habe die Änderung getestet', 'Tests laufen durch', 'Dokumentation angepasst')}\n`,
  nested: `## Checklist\n\n- [ ] Tests\n  - [ ] Unit tests added\n  - [ ] Integration tests added\n    - [ ] on Linux\n    - [ ] on Windows\n- [ ] Docs\n  - [ ] README updated\n  - [ ] Changelog updated\n`,
  brackets: `## Checklist\n\n- [ ] I have [read [the\n  [very long\n  guide](https://x) with\n  many] lines](https://y)\n  and [followed it]\n- [ ] Tests added\n`,
  comments: `<!-- What does this change? -->\n\n<!-- Why? -->\n\n<!-- How was it tested? Tick nothing that you did not run. -->\n`,
  huge: HUGE,
  ticked: `## Checklist\n\n- [x] I have read the guidelines\n- [X] Tests pass on all platforms\n- [x] Docs updated\n`,
  numbered: `## Checklist\n\n1. [ ] Tests added\n2. [ ] Reviewed by a maintainer\n3. [ ] Changelog updated\n`,
  stars: `#### Checklist\n\n* [ ] My code follows the style of this project and all checks pass\n* [ ] I have added tests to cover my changes\n* [ ] All new and existing tests passed\n* [ ] Deployed to staging\n+ [ ] Approved by security\n`,
  dco: `## Summary\n\n${boxes('All commits are signed off (DCO)', 'CLA signed', 'Commits are squashed into one', 'Commits follow Conventional Commits', 'This PR targets the `main` branch', 'This PR targets `develop`, not `main`')}\n`,
  ai: `## AI disclosure\n\n${boxes('No AI was used', 'AI was used to write this', 'I reviewed all AI output myself', 'A human wrote the description')}\n`,
  breaking: `## Is this a breaking change?\n\n${boxes('Yes', 'No')}\n\n## Does it deprecate anything?\n\n${boxes('Yes', 'No')}\n`,
  docs: `## Docs\n\n${boxes('Documentation has been updated', 'Docs are not needed', 'The website at https://docs.x was updated', 'Examples were run')}\n\n## Release notes\n\n\`\`\`release-note\n\n\`\`\`\n`,
  e2e: `## Testing\n\n${boxes('Unit tests', 'Integration tests', 'E2E tests', 'Manual tests', 'Tests for edge cases', 'Performance tests')}\n`,
  security: `## Security\n\n${boxes('No secrets are included', 'Threat model was reviewed', 'Dependencies were audited', 'Inputs are validated')}\n\n## Rollout\n\n${boxes('Feature flag added', 'Migration tested', 'Monitoring in place')}\n`,
};
