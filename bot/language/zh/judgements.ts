import { zhComposed } from './sentences.ts';
import type { DependencyChange } from '../../../orchestrator/model/dependency-changes.ts';
import type { NotModified } from '../../../orchestrator/model/change-records.ts';
import type {
  AssessmentReason,
  AssessmentReasonOf,
  PathsKind,
  PublicPlace,
} from '../../../orchestrator/model/assessment-reasons.ts';
import { groupDigits, sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';
import { zhQuotedRule, zhRule, zhRuleEvidence, zhIssueStandings, zhTitleStyles } from './rules.ts';

type Paths = { at: readonly string[]; more: number };
const paths = ({ at, more }: Paths): string => `${at.join(', ')}${more > 0 ? ` 等，另有 ${more} 个` : ''}`;
const about =
  (says: string) =>
  (j: AssessmentReasonOf<PathsKind>): string =>
    `${says}${paths(j)}`;

const places: Record<PublicPlace, string> = {
  commit_message: '提交说明',
  branch_name: '分支名',
  title: '标题',
  description: '描述',
  comment: '评论',
  reply: '回复',
  file_name: '文件名',
};

const signals: Record<AssessmentReasonOf<'words_act'>['signal'], string> = {
  mention: '会呼叫某人',
  closing_keyword: '会关闭议题',
  skip_ci: '会跳过 CI',
  bot_command: '会给机器人下命令',
  trailer: '带有代替他人说话的尾注',
};

const traits: Record<AssessmentReasonOf<'command'>['trait'], string> = {
  leaves_workspace: '提到了工作区之外的路径',
  destroys: '会获取权限或毁掉无法恢复的东西',
  deletes_much: '会删除远超工作区的内容',
  writes_device: '会写入设备',
  publishes: '会发布；只有编排器可以推送',
  high_risk: '可能毁坏或隐藏东西',
  changes_git: '会通过 git 改动历史或文件',
  acts_on_found: '会删除或执行它找到的东西',
  runs_printed: '会运行另一条命令的输出',
  runs_unseen: '会运行没人看过的脚本',
  uses_network: '会使用网络',
  adds_packages: '会从软件源下载软件包',
  names_address: '提到了网络地址',
  reads: '只读取或检查',
  own_program: '会运行该路径上的程序，它不一定是那个名字的系统程序',
  unknown_option: '带有我们不知道是否无害的参数',
  sets_environment: '会设置可能改变所运行程序的环境变量',
  unknown: '不为我们所知',
};

const opacities: Record<AssessmentReasonOf<'command_opaque'>['why'], string> = {
  expands: '它取决于变量或另一条命令的结果',
  open_quote: '引号没有闭合',
  document: '它自带一段文档',
  subshell: '它含有子 shell 或函数',
  ambiguous: '不同的 shell 对它的理解不同',
  too_long: '它太长',
  empty: '它是空的',
};

const inlineActs: Record<AssessmentReasonOf<'inline_program'>['acts'][number]['act'], string> = {
  network: '会使用网络',
  runs_programs: '会启动别的程序',
  evaluates: '会运行它生成或加载的代码',
  deletes: '会删除文件',
  writes: '会写文件',
  reads_environment: '会读取环境变量',
};

const actions: Record<NonNullable<AssessmentReasonOf<'no_policy_allows'>['what']>['action'], string> = {
  push: '推送到',
  open_pr: '拉取请求',
  comment: '评论',
  reply: '回复',
  command: '命令',
};

const dependency = ({ name, was, version, path }: DependencyChange): string => {
  if (version === null) return `它移除了依赖 ${name}（${path}）`;
  if (was === null) return `它新增了依赖 ${[name, version].join(' ').trim()}（${path}）`;
  return `它把依赖 ${name} 从 ${was || '任意版本'} 改为 ${version || '任意版本'}（${path}）`;
};

const outcomes: Record<AssessmentReasonOf<'claim_differs'>['outcome'], string> = {
  passed: '通过了',
  failed: '失败了',
  timed_out: '超时了',
  not_run: '没有运行',
  ran_no_test: '没有运行任何测试',
};
const levels = { low: '低', medium: '中', high: '高' };

const notCompared = ({ why: missed }: AssessmentReasonOf<'judges_not_compared'>): string =>
  missed.kind === 'said' ? missed.words : `预算已用完（${zhComposed.budgets.names[missed.budget]}）`;

export const zhJudgements: SentenceCatalogue<AssessmentReason> = {
  lent_key: about('借给代理的密钥或登录信息出现在 '),
  secret: about('疑似密钥，位于 '),
  likely_secret: about('可能是密钥，位于 '),
  key_files: about('从文件名看，这些文件存放密钥或密码：'),
  likely_key_files: about('从文件名看，这些文件可能存放密钥或密码：'),
  leaves_workspace: about('有路径离开了工作区：'),
  link_leaves: about('有链接指向仓库之外：'),
  gitlink_made: about('会发布子模块指针：'),
  gitlink_gone: about('删除了子模块：'),
  binary: about('二进制文件无人能审阅：'),
  lfs_pointer: about('它指向没有推送的大文件：'),
  lfs_raw: about('仓库把它存放在 LFS，这里却会直接发布其内容：'),
  filter_raw: about('仓库会用过滤器处理它（例如加密），这里却会直接发布其内容：'),
  not_read: about('它大得无法通读，没有人读过：'),
  bidi_text: about('文字在屏幕上的顺序被双向控制符篡改：'),
  hidden_text: about('有看不见的字符：'),
  not_on_windows: about('Windows 无法检出这样命名的文件：'),
  unseen_end: about('名字以空白或点结尾：'),
  blanks_changed: about('只改了空白或行尾：'),
  mixed_script: about('一个词里混有多种文字的字母：'),
  look_alike: about('看起来是普通拉丁文字、其实不是：'),
  long_line: about('有一行长得无法阅读：'),
  odd_files: about('代理留下了不能原样发布的文件：'),
  ci_changed: about('它改变了 CI 运行的内容：'),
  agent_config_changed: about('它改变了引导编程代理的内容：'),
  trust_root_changed: about('它改变了包、钩子或子模块的来源：'),
  forbidden_path: about('这些路径不许改动：'),
  protected_path: about('这些路径需要签字：'),
  lonely_lockfile: about('锁文件变了，而它的清单没变：'),
  tests_gone: about('它删除了测试：'),
  tests_weaker: about('测试被跳过或检查得更少：'),
  tests_skipped: about('测试被跳过：'),
  tests_weakened: about('测试检查得更少：'),
  tests_thinner: about('测试少了几行，检查的说服力可能下降：'),
  judges_changed: about('改动碰到了检查所运行的内容：'),
  unreadable_path: about('名字无法阅读：'),
  hidden_path: about('名字里有看不见的字符：'),
  key_file_touched: about('这些文件可能存放密钥或密码：'),
  install_time: about('可能在安装或构建时运行代码：'),
  dependencies: about('它改变了依赖：'),
  attributes: about('它改变了 git 和审阅者看到文件的方式：'),
  generated: about('看起来是生成的：'),
  gitlink: about('是子模块指针：'),
  symlink: about('是符号链接：'),
  executable: about('变成可执行：'),
  not_executable: about('不再可执行：'),
  type_changed: about('改变了类型：'),
  deleted: about('被删除：'),
  renamed: about('被改名：'),
  unknown_mode: about('文件模式未知：'),
  agents_check: (j) => `跑哪些测试只由代理找出 (${paths(j)})`,
  no_policy_allows: ({ what }) =>
    `没有策略自行放行${what ? `${actions[what.action]} ${what.name}` : ''}，所以由人决定`,
  dependency_changes: ({ changes, more }) =>
    `${changes.map(dependency).join('；')}${more > 0 ? ` 等，另有 ${more} 个` : ''}`,
  high_risk: () => '高风险必须有人签字',
  watched: () => '别人已经在看这个拉取请求，而风险不低',
  small_change: () => '对普通文件的小改动，我们的检查全部通过',
  no_check: () => '这个仓库没有任何检查能够运行',
  no_facts: () => '不知道哪些文件有变化',
  no_contract: () => '不知道这个仓库的规则',
  containment_unknown: () => '不知道代理是怎样被隔离的',
  containment_weak: () => '代理没有沙箱，只在一个进程组里运行',
  open_pulls_unknown: () => '不知道我们在那里开着多少拉取请求',
  comment_empty: () => '评论是空的',
  comment_signed: () => '那里的人会以我们的名义看到它，所以每条评论都要有人签字',
  unknown_action: () => '不知道这种操作',
  no_changes: () => '什么都没有改',
  claim_of_test: () => '代理说它加了测试；没有测试文件增加内容',
  claim_of_green: () => '代理说检查通过；在这里没有通过',
  found: (j) => `${zhComposed.findings[j.finding]}，位于 ${paths(j)}`,
  hidden_lines: (j) => `有 ${j.lines} 行因隐藏密钥而没有原样显示：${paths(j)}`,
  size: ({ files, lines, bytes, over }) =>
    `${groupDigits(files)} 个文件，${groupDigits(lines)} 行${bytes > 0 ? `，${groupDigits(bytes)} 字节` : ''}：${over ? '超过上限' : '不算小改动'}`,
  document: ({ bytes, limit }) => `改动无法在聊天中完整阅读：共 ${bytes} 字节，一个文件最多 ${limit} 字节`,
  words_lent: ({ where }) => `${places[where]}中含有借给代理的密钥或登录信息`,
  words_secret: ({ where, secret }) => `${places[where]}中疑似含有 ${zhComposed.secretName(secret)}`,
  words_hidden: ({ where, how }) =>
    how === 'bidi' ? `${places[where]}在屏幕上的顺序被双向控制符篡改` : `${places[where]}里有看不见的字符`,
  words_look_alike: ({ where, as, characters }) =>
    `${places[where]}用其他字母写出了“${as}”：${characters.join(', ')}`,
  words_act: ({ where, signal, excerpt, never }) =>
    `${places[where]}${signals[signal]}：${JSON.stringify(excerpt)}${never ? '；我们的评论不可以这样' : ''}`,
  branch_guarded: ({ branch }) => `${branch} 不是放这种改动的分支`,
  competing_pulls: ({ pulls }) =>
    `同一议题已有打开的拉取请求：${pulls.map((p) => `${p.id}（${p.author}）`).join('、')}`,
  first_pull: ({ lines, limit }) =>
    `这将是我们在那里的第一个拉取请求，新增 ${lines} 行；第一个最多 ${limit} 行`,
  open_pulls: ({ count, limit }) => `我们在那里已开着 ${count} 个拉取请求；上限是 ${limit}`,
  comment_too_long: ({ length }) => `${length} 个字符超过了代码托管平台的上限`,
  comment_long: ({ length, limit }) => `${length} 个字符读起来太多；上限是 ${limit}`,
  rule: zhRule,
  rule_kept: zhRuleEvidence,
  ban_overruled: (j) => `${j.by} 认为这条规则说的是别的事（${j.why}）：${zhQuotedRule(j)}`,
  issue: ({ issue, standing }) => `议题 ${issue} ${zhIssueStandings[standing]}`,
  undisclosed: (j) => `${places[j.where]}没有说明改动出自代理：${zhQuotedRule(j)}`,
  branch_rule: ({ branch, rule }) => `分支 ${branch} 不符合规则 ${rule}`,
  title_rule: ({ title, style, asked, place }) =>
    `标题不符合${zhTitleStyles[style]}${asked === undefined ? '' : `（${asked}）`}：${JSON.stringify(title)}${place ? `；${zhQuotedRule(place)}` : ''}`,
  template_open: ({ questions }) =>
    `模板问了只有人能回答的问题；请回复这张卡片${questions.length > 1 ? '，按编号作答' : ''}：${questions.map((q, i) => (questions.length > 1 ? `${i + 1}. ${q}` : q)).join('；')}`,
  template_cut: ({ headings }) => `描述缺了模板中的：${headings.join(', ')}`,
  checks_fail: ({ names }) => (names.length > 0 ? `检查未通过：${names.join(', ')}` : '检查没有通过'),
  checks_missing: ({ names }) => `有些检查无法运行：${names.join(', ')}`,
  red_before: ({ names }) => `在基准分支上同样不通过：${names.join(', ')}`,
  red_unnamed: ({ names }) =>
    `在基准分支上同样不通过，但没有说出是哪些测试，新的失败看不出来：${names.join(', ')}`,
  flaky_before: ({ names }) => `这次通过了，但在基准分支上时好时坏：${names.join(', ')}`,
  ran_no_test: ({ names }) => `没有运行任何测试：${names.join(', ')}`,
  tests_stopped: ({ names }) => `在基础分支上会运行测试，现在一个也不运行：${names.join(', ')}`,
  no_tests: ({ names }) => `没有运行测试；依据 ${names.join(', ')}`,
  judged_by: ({ names }) => (names.length > 0 ? `依据 ${names.join(', ')}` : '没有依据'),
  judges_needed: (j) => `${j.names.join(', ')} 只有用改动后的 ${paths(j)} 才通过`,
  judges_not_compared: (j) => `没有用基准版本的 ${paths(j)} 运行：${notCompared(j)}`,
  command: (j) => `\`${j.command}\` ${traits[j.trait]}${j.at.length > 0 ? `：${paths(j)}` : ''}`,
  inline_program: ({ program, acts }) =>
    acts.length === 0
      ? `\`${program}\` 自带一段程序，没有策略能读懂它的语言`
      : `\`${program}\` 自带一段程序，它${acts.map((a) => `${inlineActs[a.act]}（${a.words}）`).join('、')}`,
  command_opaque: ({ why, words }) =>
    `这条命令无法读懂：${opacities[why]}${words === undefined ? '' : `：${words}`}`,
  command_hidden: ({ how }) => (how === 'bidi' ? '命令在屏幕上的顺序被篡改' : '命令里藏有字符'),
  command_characters: ({ characters, more }) =>
    `命令里有看起来像别的字符的字符：${paths({ at: characters, more })}`,
  own: (j) => (j.at.length > 0 ? `${j.says}：${paths(j)}` : j.says),
  check_failed: ({ name, timedOut, exitCode }) =>
    `${name} ${timedOut ? '超时' : '失败'}${exitCode === null ? '' : `（退出码 ${exitCode}）`}`,
  check_not_run: ({ name }) => `${name} 无法运行`,
  claim_unseen: ({ command }) => `代理说它运行了 ${command}；我们没有运行`,
  claim_differs: ({ command, passed, outcome }) =>
    `代理说 ${command} ${passed ? '通过' : '失败'}；在这里${outcomes[outcome]}`,
  not_done: ({ says }) => (says === '' ? '代理说还没做完，没有说明原因' : `代理说还没做完：${says}`),
  opinion: ({ says }) => says,
  step_failed: (j) => {
    const words = j.detail ? zhComposed.failedInDetail(j.detail) : j.message;
    return words ? `${zhComposed.stops[j.class]}：${words}` : zhComposed.why.failures[j.class];
  },
};

export const zhJudgement = (one: AssessmentReason): string => sayRecord(zhJudgements, one);

export const zhNotModified = (no: NotModified): string => {
  switch (no.kind) {
    case 'card_gone':
      return '卡片已经不在了';
    case 'goes_elsewhere':
      return '修改不能换去处；请重新提出';
    case 'raises_risk':
      return `修改会把风险从${levels[no.from]}提高到${levels[no.to]}`;
    case 'forbidden': {
      const said = no.objections.map((o) => `${o.policy}：${zhJudgement(o.reason)}`);
      return `有策略禁止这样做：${said.join('；')}`;
    }
  }
};
