const SENTENCES: Readonly<Record<string, string>> = {
  'the preview of a campaign that reverts what this one merged; `campaign start` begins it':
    '预览一个批次，它撤销本批次已合并的内容；用 `campaign start` 开始',
  'Coding agents across many repositories, from your phone. No pull request until you have approved exactly those bytes.':
    '用手机指挥编码代理处理众多仓库。在你批准逐字节相同的内容之前，不会创建任何拉取请求。',
  'print the version': '显示版本',
  'run the bot, the orchestrator and the health pages': '运行机器人、调度程序和健康页面',
  'what this process does: everything, or one part of several over a Postgres (default: AGENTPR_ROLE, or all)':
    '本进程做什么：全部，或多进程共用 Postgres 时的一部分（默认：AGENTPR_ROLE，否则 all）',
  'from nothing to a greeting on the phone: each answer is checked, and kept in .env':
    '从零开始，直到手机收到问候：每个回答都会检查并保存到 .env',
  'ask for everything anew, also for what .env has': '全部重新询问，包括 .env 里已有的',
  'make a GitHub App in the browser and put its keys into .env':
    '在浏览器里创建 GitHub App，并把密钥写入 .env',
  'check each prerequisite and say how to fix it; with a repository, also install and check it':
    '检查每个前提条件并说明如何解决；给出仓库时，还会安装并检查它',
  'print JSON': '输出 JSON',
  'restore this backup, or the newest one of a folder, into a folder that is thrown away, and replay it':
    '把这个备份（或文件夹里最新的备份）恢复到用完即删的文件夹，并重放',
  'with these identities of age': '使用这些 age 身份',
  'with the passphrase on its first line (“-” is standard input)': '使用其首行的口令（“-”为标准输入）',
  'where the keys are that the backup was made without': '制作备份时未包含的密钥所在的位置',
  'owner/name: what a run of it would find, and what this machine lacks for it':
    'owner/name：在它上面运行任务会发现什么，本机还缺什么',
  'start AgentPR with the machine, by systemd': '用 systemd 让 AgentPR 随机器启动',
  'write a confined unit for this folder, and start it': '为本文件夹写入受限的单元，并启动',
  'a service of the machine (default for root)': '整台机器的服务（root 的默认值）',
  'a service of yours (default for everybody else)': '你自己的服务（其他人的默认值）',
  'of the unit': '单元的名称',
  'the account of a system service': '系统服务使用的账号',
  'what this process does': '本进程做什么',
  'print the unit, and change nothing': '只显示单元，不做改动',
  'stop it and remove the unit; the data stays': '停止并删除单元；数据保留',
  'check the unit, whether it runs, and what it answers': '检查单元、是否在运行，以及它的应答',
  'be Ana: order a change and approve it, on local Telegram and GitHub servers; needs no account':
    '扮演 Ana：在本地的 Telegram 和 GitHub 上下达一个改动并批准它；不需要账号',
  'watch: every card is tapped for you (with --once and --json as well)':
    '观看：每张卡片都替你点（--once 和 --json 也是）',
  'which of the three sample tasks to begin with': '从三个示例任务中的哪一个开始',
  'end after the story': '故事结束后退出',
  'print the final run with its events instead of prose, then end':
    '不输出叙述，输出最终任务及其事件，然后退出',
  'keep the files there (default: a temporary folder)': '文件保存在那里（默认：临时文件夹）',
  'any git repository instead of the sample': '用任意 git 仓库代替示例',
  'the repository is somebody else’s: no right to push, no webhook, a fork, a flaky check':
    '仓库属于别人：无权推送、没有 webhook、使用复刻、有一项不稳定的检查',
  'one change for ten repositories: a few first, alike ones on one card':
    '十个仓库做同一个改动：先做几个，相同的放在一张卡片上',
  'a check of yours instead of the ones found in the repository; repeatable':
    '用你自己的检查代替仓库里找到的检查；可重复',
  'what the agent does, in the repository': '代理在仓库里做什么',
  'what is asked for': '要求做的事',
  'who does the work; all but script are yours, signed in': '由谁来做；除 script 外都是你已登录的代理',
  'how webhooks travel; without any, the code host is asked instead':
    'webhook 如何送达；没有时改为询问代码托管平台',
  'how agents and checks are contained': '代理和检查如何隔离',
  'create, list, show and steer runs': '创建、列出、查看和控制任务',
  'live runs, newest first': '进行中的任务，最新的在前',
  'ended ones too': '包括已结束的',
  'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)':
    '数据目录（默认：AGENTPR_DATA_DIR 或 ./.agentpr）',
  'a run with its events and attempts': '一个任务及其事件和尝试',
  'start a change': '开始一个改动',
  'the same key is the same call': '相同的键视为同一次调用',
  'the branch to change (default: the repository’s own)': '要改动的分支（默认：仓库自己的默认分支）',
  'who does the work (default: what an admin has set, or else AGENTPR_ENGINE)':
    '由谁来做（默认：管理员的设置，否则 AGENTPR_ENGINE）',
  'plan: small steps, each checked before the next': 'plan：小步进行，每一步检查后再做下一步',
  'agent: the agent reads the repository first and adds to what is known of it':
    'agent：代理先阅读仓库，补充对它的了解',
  'your own check instead of those that were found; repeatable': '用你自己的检查代替找到的检查；可重复',
  'none: dependencies are not installed, for checks that need none':
    'none：不安装依赖，适用于不需要依赖的检查',
  'the branch that is pushed (default: by the repository’s rule)': '推送的分支（默认：按仓库的规则）',
  'the title of the pull request': '拉取请求的标题',
  'an argument for the engine; repeatable': '传给引擎的参数；可重复',
  'what is used and left; approvers grant more': '已用和剩余的额度；批准人可以追加',
  'refuse what the card shows, and say why': '拒绝卡片上的内容，并说明原因',
  'also end the run': '同时结束任务',
  'why; after a denial the agent is told': '原因；拒绝之后会告诉代理',
  'change the title or description on the card': '修改卡片上的标题或描述',
  'another title': '新的标题',
  'another description': '新的描述',
  'go on after a failure, with what the agent is told': '失败后继续，并告诉代理一些话',
  'where to go on (default: where it stopped)': '从哪里继续（默认：停下的地方）',
  'what the agent is told from here on': '此后告诉代理的话',
  'go on without checks that cannot be run here': '略过本机无法运行的检查继续',
  'merge the base branch into the change': '把基础分支合并进改动',
  'say that a ban is about something else, and why': '说明某条禁令与此无关，以及原因',
  'have the agent ask again for what was allowed in this run': '让代理对本任务中已允许的操作重新询问',
  'stop the agent, keep everything': '停止代理，保留一切',
  'go on after a pause': '暂停后继续',
  'end a run for good': '彻底结束一个任务',
  'end a run that is not wanted': '结束一个不需要的任务',
  'mark a run as done': '把任务标记为完成',
  'run the agent once in a folder, contained, without a run': '在文件夹里隔离运行一次代理，不建立任务',
  'what the agent is told': '告诉代理的话',
  'the same from a file; “-” reads standard input': '同上，从文件读取；“-”读取标准输入',
  'the workspace': '工作区',
  'the workspace may not be changed': '不得改动工作区',
  'keep the HOME of the agent here, so that its session can be resumed':
    '把代理的 HOME 保存在这里，以便恢复会话',
  'resume this session; needs the --home it was in': '恢复这个会话；需要它当时的 --home',
  'time limit': '时间上限',
  'auto, bwrap, unshare or group': 'auto、bwrap、unshare 或 group',
  'print the whole outcome': '输出完整结果',
  'one change for many repositories: plan it, look at it, decide about it':
    '众多仓库做同一个改动：计划、查看、决定',
  'a campaign.yml, or a list of repositories and searches, and a goal (“-” reads standard input)':
    'campaign.yml，或仓库与搜索的列表加一个目标（“-”读取标准输入）',
  'campaigns, newest first': '批量任务，最新的在前',
  'how it stands, and what it waits for': '进展如何，在等什么',
  'what its runs took': '它的任务用了多少',
  'start with the first repositories': '从最先的仓库开始',
  'start no further repositories; those that have started go on': '不再开始新的仓库；已开始的继续',
  'go on after a pause, or after it stopped by itself': '暂停或自行停止后继续',
  'start no further repositories, for good': '永久不再开始新的仓库',
  'end runs that have no pull request, too': '同时结束没有拉取请求的任务',
  'close the pull requests that it left open: shows them and what maintainers will read':
    '关闭它留下的拉取请求：先显示它们以及维护者将读到的话',
  'with --pulls: really do it': '与 --pulls 一起：真正执行',
  'follow pull requests that were opened elsewhere (“-” reads standard input)':
    '跟踪在别处创建的拉取请求（“-”读取标准输入）',
  'try again what failed': '重试失败的',
  'only this class of failures': '只限这一类失败',
  'really do it': '真正执行',
  'back up the database, then bring it to this version’s schema': '备份数据库，再升级到本版本的结构',
  'on a copy that is thrown away': '在用完即删的副本上进行',
  'fold the log again and compare the result with the ledger': '重新折叠日志，并与账本比较',
  'every run': '所有任务',
  'fold the turns of the builtin engine: what was decided, what ran, what it made of the files':
    '折叠 builtin 引擎的各轮：决定了什么、执行了什么、对文件做了什么',
  'tell also where today’s rules would decide otherwise; with --turns, today’s policies':
    '同时指出按今天的规则会有不同决定的地方；与 --turns 一起则按今天的策略',
  'check the receipt in a pull request’s body (“-” reads standard input)':
    '核对拉取请求正文里的回执（“-”读取标准输入）',
  'against an export of `agentpr audit export` instead of the ledger':
    '与 `agentpr audit export` 的导出文件核对，而不是账本',
  'check the receipt of anybody’s pull request by the keys that they publish':
    '用对方公布的公钥核对任何人的拉取请求的回执',
  'the operator’s keys: an https address of theirs, or a file': '对方的公钥：对方的 https 地址，或一个文件',
  'the API of the code host (default: that of the link’s host)':
    '代码托管平台的 API（默认：链接所在主机的 API）',
  'print the public keys of receipts, to be published; rotate or revoke one':
    '输出回执的公钥以便公布；轮换或吊销其中一个',
  'begin a new key; what the old one signed stays valid': '启用新密钥；旧密钥签过的仍然有效',
  'say that a key is no longer to be believed, and begin a new one': '宣布某个密钥不再可信，并启用新密钥',
  'the ledger as a whole': '整个账本',
  'copy from one database into another, empty one; goes on where an earlier copy stopped':
    '从一个数据库复制到另一个空数据库；从上次停下的地方继续',
  'a data directory, postgres://…, or “postgres” for DATABASE_URL':
    '数据目录、postgres://…，或用 postgres 表示 DATABASE_URL',
  'the same': '同上',
  'the data directory that has the keys (default: AGENTPR_DATA_DIR or ./.agentpr)':
    '存有密钥的数据目录（默认：AGENTPR_DATA_DIR 或 ./.agentpr）',
  'write ledger, keys and unpublished commits into one file, also while agentpr runs':
    '把账本、密钥和未发布的提交写入一个文件，运行期间也可以',
  'encrypt it for these recipients of age': '用 age 为这些收件人加密',
  'encrypt it with the passphrase on its first line': '用其首行的口令加密',
  'do not encrypt it': '不加密',
  'without the keys, which then must be kept elsewhere': '不含密钥，密钥须另行保管',
  'put a backup into an empty data directory': '把备份放进空的数据目录',
  'export the ledger as a file, and check such a file without the ledger':
    '把账本导出为文件，并可脱离账本核对该文件',
  'write one JSON line per row and a signed last line': '每条记录写一行 JSON，最后一行带签名',
  'of one run only': '只限一个任务',
  'instead of standard output': '代替标准输出',
  'without people, chats and secrets; then only the file as a whole can be verified':
    '不含人员、聊天和密钥；此时只能整体核对该文件',
  'check an export offline: everything with the key, without it only the hash chains':
    '离线核对导出文件：有密钥时全部核对，没有时只核对哈希链',
  'the ledger’s key (default: the data directory’s)': '账本的密钥（默认：数据目录里的）',
  'go on with a ledger that was put back to an earlier state; agentpr must not be running':
    '继续使用被恢复到早先状态的账本；agentpr 不得在运行',
  'list the policies, and say which one stopped a run': '列出策略，并说明哪一条拦下了任务',
  'what each policy guards, when it objects, and the setting that changes it':
    '每条策略守护什么、何时反对，以及可改变它的设置',
  'as they hold for this repository': '对这个仓库生效的策略',
  'what the policies said about the run’s last push and opening, and what can be done':
    '策略对任务最近一次推送和创建说了什么，以及可以怎么办',
  'what runs took: first CI pass rate, time, fixes, taps and attention, by group':
    '任务的花费：首次 CI 通过率、时间、修复、点击和关注，按组统计',
  'of runs ordered in this time: 30d, 12w, all': '在此时间内下达的任务：30d、12w、all',
  'how runs are grouped': '任务如何分组',
  'print CSV; times are seconds': '输出 CSV；时间以秒计',
  'print a Markdown table': '输出 Markdown 表格',
  'write a chart there': '把图表写到那里',
  'what costs people’s attention, and what could be changed': '什么耗费人的注意力，可以改变什么',
  'give a saved webhook payload to the running AgentPR, signed, as GitHub would':
    '把保存的 webhook 内容带签名交给运行中的 AgentPR，就像 GitHub 那样',
  'its name, as in the header X-GitHub-Event': '它的名称，与请求头 X-GitHub-Event 中相同',
  'the payload, JSON; - for standard input': '内容，JSON；- 为标准输入',
  'its GUID; the same one twice is one delivery (default: a new one)':
    '它的 GUID；同一个出现两次视为一次送达（默认：新的）',
  'where AgentPR listens (default: AGENTPR_HTTP_HOST and AGENTPR_HTTP_PORT)':
    'AgentPR 的监听地址（默认：AGENTPR_HTTP_HOST 和 AGENTPR_HTTP_PORT）',
};

/** Sentences that name what the program knows. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^for this run alone: (.+); repeatable$/, '只对本任务有效：$1；可重复'],
  [
    /^the set of prompts \(default: what an admin has set, or else (.+)\)$/,
    '提示词集（默认：管理员的设置，否则 $1）',
  ],
  [/^[a-z-]+(?:, [a-z-]+){5,}$/, '$&'],
];

const translate = (patterns: readonly (readonly [RegExp, string])[], text: string): string | null => {
  const [found, as] = patterns.find(([pattern]) => pattern.test(text)) ?? [];
  return found === undefined || as === undefined ? null : text.replace(found, as);
};

const TITLES: Readonly<Record<string, string>> = {
  'Usage:': '用法：',
  'Options:': '选项：',
  'Commands:': '命令：',
  'Arguments:': '参数：',
};
const NOTES: readonly (readonly [RegExp, string])[] = [
  [/\(choices: /, '（可选：'],
  [/\(default: /, '（默认：'],
  [/, default: /, '，默认：'],
];
const COMPLAINTS: readonly (readonly [RegExp, string])[] = [
  [/^error: unknown option '(.+)'/, '错误：没有选项 $1'],
  [/^error: unknown command '(.+)'/, '错误：没有命令 $1'],
  [/^error: missing required argument '(.+)'/, '错误：缺少参数 $1'],
  [/^error: required option '(.+)' not specified/, '错误：缺少必需的选项 $1'],
  [/^error: option '(.+)' argument missing/, '错误：选项 $1 缺少值'],
  [/^error: too many arguments(?: for '(.+?)')?\..*$/m, '错误：参数太多'],
  [
    /^error: (?:option|command-argument value|argument) '?(.+?)'? (?:argument '(.*)' )?is invalid\. Allowed choices are (.+)\.$/m,
    '错误：$1 的值 $2 无效。可选：$3。',
  ],
  [/\(Did you mean (?:one of )?(.+)\?\)/, '（是否想用 $1？）'],
];

const BELOW: readonly (readonly [RegExp, string])[] = [
  [/^Example: /m, '例如：'],
  [/^States: /m, '状态：'],
  [/^Approving is done in chat only: .+$/m, '只能在聊天里批准：批准记录的是 Telegram id。'],
];

export const chineseCommandLine = {
  sentence: (english: string): string => SENTENCES[english] ?? translate(PATTERNS, english) ?? english,
  title: (english: string): string => TITLES[english] ?? english,
  notes: (text: string): string => {
    const told = NOTES.reduce((now, [pattern, as]) => now.replace(pattern, as), text);
    return told === text ? text : told.replace(/\)$/, '）').replace(/ （/, '（');
  },
  complaint: (text: string): string =>
    COMPLAINTS.reduce((now, [pattern, as]) => now.replace(pattern, as), text),
  below: (text: string): string => BELOW.reduce((now, [pattern, as]) => now.replace(pattern, as), text),
  shows: '显示命令的帮助',
  hint: (path: string): string => `（用法见 ${path} --help）`,
};
